import { Button } from "@mantine/core";
import { useErrorText } from "../lib/api/error-text.ts";
import { useTranslation } from "../lib/i18n/use-translation.ts";
import classes from "./load-problem.module.css";

/** Why a part of a page is missing, in one line, with another try. */
export function LoadProblem({ error, onRetry }: { error: Error; onRetry(): void }) {
  const { t } = useTranslation();
  return (
    <p className={classes.problem}>
      <span>{useErrorText(error)}</span>
      <Button variant="default" size="compact-xs" onClick={onRetry}>
        {t("retry")}
      </Button>
    </p>
  );
}
