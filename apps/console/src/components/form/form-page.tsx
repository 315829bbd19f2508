import { Alert, Button } from "@mantine/core";
import type { FormErrors, UseFormReturnType } from "@mantine/form";
import { useHotkeys } from "@mantine/hooks";
import { IconAlertCircle } from "@tabler/icons-react";
import { useRouter } from "@tanstack/react-router";
import { type ReactNode, type Ref, useRef } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { ApiError } from "../../lib/api/api-error.ts";
import { useErrorText } from "../../lib/api/error-text.ts";
import { PageHeader } from "../page-header.tsx";
import classes from "./form-page.module.css";
import { WithSectionNav } from "./section-nav.tsx";
import { EXTRA_SUBMIT, useSaveForm } from "./use-save-form.ts";

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

/** Errors of the form, above it; takes the focus after a failed save. */
function ErrorSummary({ ref, errors, saveError, fieldOf }: ErrorSummaryProps) {
  const { t } = useTranslation();
  const wrong = Object.entries(errors).filter(([, error]) => error !== undefined && error !== null && error !== false);
  const saveErrorText = useErrorText(saveError);
  // A refusal that a field shows already is not said twice.
  const isFieldsOwn = saveError === undefined || wrong.some(([, error]) => error === saveErrorText);
  const requestId = saveError instanceof ApiError ? saveError.requestId : undefined;
  if (wrong.length === 0 && saveError === undefined) return null;
  return (
    <Alert
      ref={ref}
      tabIndex={-1}
      color="danger"
      icon={<IconAlertCircle size={18} />}
      title={saveError === undefined ? t("form.invalid", { count: wrong.length }) : t("form.notSaved")}
      className={classes.summary ?? ""}
    >
      {!isFieldsOwn && <p className={classes.line}>{saveErrorText}</p>}
      {requestId !== undefined && <p className={classes.line}>{t("listError.request", { id: requestId })}</p>}
      {isFieldsOwn && (
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

interface FormPageProps<Values, Output> {
  title: string;
  description?: ReactNode;
  subject?: string | undefined;
  backPath: string;
  form: UseFormReturnType<Values, Output>;
  /** Saves; usually `mutation.mutateAsync`. What it throws keeps the form as it is. */
  save(values: Output): Promise<unknown>;
  /** After a save: toast, then navigate. The unsaved-changes guard is off by then. */
  onSaved(): void;
  saveLabel?: string;
  /** Words the summary of the fields' errors, where one sentence stands for several. */
  summarise?(errors: FormErrors): FormErrors;
  /** Returns the form's path of a field that the server names; by default `budget.quota` is `budget_quota`. */
  fieldOf?(field: string): string;
  extraSubmit?: { label: string; save(values: Output): Promise<unknown> };
  notice?: ReactNode;
  children: ReactNode;
}

/** A page with one form: sections, a save bar that stays in sight, Cmd/Ctrl+Enter, an error summary, a guard for unsaved changes. */
export function FormPage<Values, Output>(props: FormPageProps<Values, Output>) {
  const { title, description, subject, backPath, form, save, onSaved, saveLabel, notice, children } = props;
  const { summarise = (errors) => errors, extraSubmit, fieldOf } = props;
  const { t } = useTranslation();
  const router = useRouter();
  const element = useRef<HTMLFormElement>(null);
  const extraSave = extraSubmit?.save;
  const { saving, saveError, wasTried, onSubmit, summary } = useSaveForm({ form, save, extraSave, onSaved, fieldOf });
  // The second argument: it works from within fields too.
  useHotkeys([["mod+Enter", () => element.current?.requestSubmit()]], []);
  return (
    <div className={classes.page}>
      <PageHeader title={title} subject={subject} description={description} />
      <div className={classes.notice}>{notice}</div>
      <WithSectionNav>
        <form ref={element} className={classes.form} noValidate onSubmit={onSubmit}>
          <ErrorSummary
            ref={summary}
            // Before the first try the fields say it themselves; a summary would move them under the pointer.
            errors={wasTried ? summarise(form.errors) : {}}
            saveError={saveError}
            fieldOf={(path) => form.getInputNode(path)}
          />
          <div className={classes.sections}>{children}</div>
          <div className={classes.bar} data-over-toasts>
            <span className={classes.state} role="status">
              {form.isDirty() ? t("form.unsaved") : ""}
            </span>
            <Button variant="default" onClick={() => router.history.push(backPath)}>
              {t("cancel")}
            </Button>
            {extraSubmit !== undefined && (
              <Button
                type="submit"
                variant="default"
                value={EXTRA_SUBMIT}
                loading={saving === "extra"}
                disabled={saving === "main"}
              >
                {extraSubmit.label}
              </Button>
            )}
            <Button type="submit" loading={saving === "main"} disabled={saving === "extra"}>
              {saveLabel ?? t("save")}
            </Button>
          </div>
        </form>
      </WithSectionNav>
    </div>
  );
}
