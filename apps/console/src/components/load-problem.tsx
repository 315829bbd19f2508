import { Button } from "@mantine/core";
import { ApiError } from "../lib/api/api-error.ts";
import { useErrorText } from "../lib/api/error-text.ts";
import { useTranslation } from "../lib/i18n/use-translation.ts";
import classes from "./load-problem.module.css";

interface LoadProblemProps {
  /** Name of the part, where nothing around it has it. */
  of?: string;
  error: Error;
  onRetry(): void;
}

/** Why a part of a page is missing, in one line, with another try. */
export function LoadProblem({ of: name, error, onRetry }: LoadProblemProps) {
  const { t } = useTranslation();
  return (
    <p className={classes.problem} data-named={name !== undefined}>
      <span>
        {name !== undefined && <strong>{name}: </strong>}
        {useErrorText(error)}
      </span>
      <Button variant="default" size="compact-xs" onClick={onRetry}>
        {t("retry")}
      </Button>
    </p>
  );
}

interface NumbersProblemProps {
  of: string;
  query: { readonly data: unknown; readonly error: Error | null; refetch(): unknown };
}

/** Why columns of numbers are empty. A server without the log store has no such numbers. */
export function NumbersProblem({ of: name, query: { data, error, refetch } }: NumbersProblemProps) {
  if (data !== undefined || error === null || (error instanceof ApiError && error.code === "log-store-off"))
    return null;
  return <LoadProblem of={name} error={error} onRetry={() => void refetch()} />;
}
