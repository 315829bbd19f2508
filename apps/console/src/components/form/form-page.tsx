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
import { TextLink } from "../text-link.tsx";
import classes from "./form-page.module.css";
import { WithSectionNav } from "./section-nav.tsx";
import { StickyBar } from "./sticky-bar.tsx";
import { type SaveWay, useSaveForm } from "./use-save-form.ts";

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
  /** Title of the list at `backPath`. */
  backLabel?: string;
  form: UseFormReturnType<Values, Output>;
  /** Saves; usually `mutation.mutateAsync`. What it throws keeps the form as it is. */
  save(values: Output): Promise<unknown>;
  /** After a save: toast, then navigate. The unsaved-changes guard is off by then. */
  onSaved(): void;
  saveLabel?: string;
  /** Effect of a save in one sentence, beside the button. */
  outcome?: string;
  /** Words the summary of the fields' errors, where one sentence stands for several. */
  summarise?(errors: FormErrors): FormErrors;
  /** Returns the form's path of a field that the server names; by default `budget.quota` is `budget_quota`. */
  fieldOf?(field: string): string;
  /** A second way to save; primary if most people want it. */
  extraSubmit?: { label: string; save(values: Output): Promise<unknown>; isPrimary?: boolean };
  notice?: ReactNode;
  /** Beside a form of one section; below it on narrower screens, on phones its first part only. */
  aside?: ReactNode;
  children: ReactNode;
}

/** Blurs the focused field, as a list adds its typed entry then. The focus goes on to an element, or back to the field. */
function leaveField(next?: HTMLElement | null): void {
  const field = document.activeElement;
  if (!(field instanceof HTMLElement) || field === next) return;
  field.blur();
  (next ?? field).focus({ preventScroll: true });
}

/** The ways to save: the one that the Enter key and the filled button take, then the other. */
function waysOf(extra: { isPrimary?: boolean } | undefined): [SaveWay, SaveWay?] {
  if (extra === undefined) return ["main"];
  return extra.isPrimary === true ? ["extra", "main"] : ["main", "extra"];
}

interface SaveBarProps {
  outcome: string | undefined;
  isDirty: boolean;
  ways: readonly [SaveWay, SaveWay?];
  labels: Readonly<Record<SaveWay, string>>;
  saving: SaveWay | undefined;
  onSecondary(way: SaveWay): void;
  onCancel(): void;
}

function SaveBar({ ways: [primary, secondary], labels, saving, ...props }: SaveBarProps) {
  const { t } = useTranslation();
  const { outcome, isDirty, onSecondary, onCancel } = props;
  return (
    <StickyBar
      outcome={outcome}
      state={isDirty ? t("form.unsaved") : ""}
      // A field that is left by the press would show its error first, which moves the button from under the pointer.
      onMouseDown={(event) => event.preventDefault()}
      onClickCapture={({ target }) => target instanceof Element && leaveField(target.closest("button"))}
    >
      <Button variant="default" onClick={onCancel}>
        {t("cancel")}
      </Button>
      {secondary !== undefined && (
        <Button
          variant="default"
          loading={saving === secondary}
          disabled={saving === primary}
          onClick={() => onSecondary(secondary)}
        >
          {labels[secondary]}
        </Button>
      )}
      <Button type="submit" loading={saving === primary} disabled={saving !== undefined && saving !== primary}>
        {labels[primary]}
      </Button>
    </StickyBar>
  );
}

/** A page with one form: sections, a save bar that stays in sight, Cmd/Ctrl+Enter, an error summary, a guard for unsaved changes. */
export function FormPage<Values, Output>(props: FormPageProps<Values, Output>) {
  const { title, description, subject, backPath, backLabel, form, save, onSaved, saveLabel, notice, children } = props;
  const { summarise = (errors) => errors, extraSubmit, fieldOf, outcome, aside } = props;
  const { t } = useTranslation();
  const router = useRouter();
  const element = useRef<HTMLFormElement>(null);
  const extraSave = extraSubmit?.save;
  const { saving, saveError, wasTried, submitAs, summary } = useSaveForm({ form, save, extraSave, onSaved, fieldOf });
  const ways = waysOf(extraSubmit);
  // The second argument: it works from within fields too.
  const saveByKey = () => {
    leaveField();
    element.current?.requestSubmit();
  };
  useHotkeys([["mod+Enter", saveByKey]], []);
  return (
    <div className={classes.page}>
      <PageHeader
        title={title}
        subject={subject}
        description={description}
        back={backLabel !== undefined && <TextLink to={backPath}>{backLabel}</TextLink>}
      />
      <div className={classes.notice}>{notice}</div>
      <div className={classes.columns}>
        <WithSectionNav>
          <form ref={element} className={classes.form} noValidate onSubmit={submitAs(ways[0])}>
            <ErrorSummary
              ref={summary}
              // Before the first try the fields say it themselves; a summary would move them under the pointer.
              errors={wasTried ? summarise(form.errors) : {}}
              saveError={saveError}
              fieldOf={(path) => form.getInputNode(path)}
            />
            <div className={classes.sections}>{children}</div>
            <SaveBar
              outcome={outcome}
              isDirty={form.isDirty()}
              ways={ways}
              labels={{ main: saveLabel ?? t("save"), extra: extraSubmit?.label ?? "" }}
              saving={saving}
              onSecondary={(way) => submitAs(way)()}
              onCancel={() => router.history.push(backPath)}
            />
          </form>
        </WithSectionNav>
        {aside !== undefined && <aside className={classes.aside}>{aside}</aside>}
      </div>
    </div>
  );
}
