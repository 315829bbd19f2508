import { Alert } from "@mantine/core";
import type { FormErrors } from "@mantine/form";
import { IconAlertCircle } from "@tabler/icons-react";
import type { ReactNode, Ref } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../../lib/api-error.ts";
import classes from "./error-summary.module.css";

interface ErrorSummaryProps {
  ref: Ref<HTMLDivElement>;
  errors: FormErrors;
  saveError: Error | undefined;
  /** The input of a field, to lead there. */
  fieldOf(path: string): HTMLElement | null;
}

/** The first field of each message: two fields may lack the same thing. */
function onceEach(wrong: readonly (readonly [string, ReactNode])[]) {
  return wrong.filter(([, error], index) => wrong.findIndex(([, other]) => other === error) === index);
}

/** What is wrong with the form, above it; takes the focus after a failed save. */
export function ErrorSummary({ ref, errors, saveError, fieldOf }: ErrorSummaryProps) {
  const { t } = useTranslation();
  const wrong = Object.entries(errors).filter(([, error]) => error !== undefined && error !== null && error !== false);
  if (wrong.length === 0 && saveError === undefined) return null;
  const requestId = saveError instanceof ApiError ? saveError.requestId : undefined;
  return (
    <Alert
      ref={ref}
      tabIndex={-1}
      color="red"
      icon={<IconAlertCircle size={18} />}
      title={saveError === undefined ? t("form.invalid", { count: wrong.length }) : t("form.notSaved")}
      className={classes.summary ?? ""}
    >
      {saveError !== undefined && <p className={classes.line}>{saveError.message}</p>}
      {requestId !== undefined && <p className={classes.line}>{t("listError.request", { id: requestId })}</p>}
      {saveError === undefined && (
        <ul className={classes.list}>
          {onceEach(wrong).map(([path, error]) => (
            <li key={path}>
              <button type="button" className={classes.link} onClick={() => fieldOf(path)?.focus()}>
                {error}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
}
