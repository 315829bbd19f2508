import { Button, Checkbox } from "@mantine/core";
import { OPTION_DEFINITIONS, type OptionDefinition } from "@one-api/contract/option";
import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from "react";
import { SectionCard } from "../../../components/form/form-section.tsx";
import { ErrorAlert, ProblemAlert } from "../../../components/boxes/error-alert.tsx";
import { ApiError } from "../../../lib/api/api-error.ts";
import { useErrorText } from "../../../lib/api/error-text.ts";
import { formatNumber } from "../../../lib/format.ts";
import type { Translate } from "../../../lib/i18n/text-keys.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useIsRoot } from "../../../lib/state/session.ts";
import { watchUnsaved } from "../../../lib/state/unsaved-work.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import classes from "../settings-page.module.css";
import { WithOrigin } from "../origin/option-origin.tsx";
import { LastChange } from "../last-change.tsx";
import { hintOf, type Section, type SectionField, settablePart, type ShownSection } from "../option-sections.ts";
import { OptionInput } from "./option-input.tsx";
import { useSaveOptions } from "./option-queries.ts";
import { useConfirmOptions } from "./use-confirm-options.ts";
import { changedOptions, type Draft, numberProblem, type SavedOptions, secretsToRetype } from "./system-options.ts";

/** The switches of a section; each saves at once. */
function OptionSwitches({
  switches,
  saved,
}: {
  switches: readonly Section["switches"][number][];
  saved: SavedOptions;
}) {
  const { t } = useTranslation("settings", "common");
  const mayChange = useConfirmOptions(saved);
  const save = useSaveOptions();
  const flip = async (key: Section["switches"][number], isOn: boolean) => {
    const changes = [{ key, value: String(isOn) }];
    if (!(await mayChange(changes))) return;
    save.mutate(changes, { onSuccess: () => toastSuccess(t("common:operationCompleted")) });
  };
  return (
    <>
      <div className={classes.fields}>
        {switches.map((key) => (
          <WithOrigin key={key} optionKey={key} label={t(`fields.${key}`)} saved={saved}>
            <Checkbox
              className={classes.switch ?? ""}
              label={t(`fields.${key}`)}
              description={hintOf(key, t)}
              checked={saved.values[key] === "true"}
              disabled={save.isPending}
              onChange={(event) => void flip(key, event.currentTarget.checked)}
            />
          </WithOrigin>
        ))}
      </div>
      <ErrorAlert error={save.error} mt="md" />
    </>
  );
}

/** The option that a refusal is about. */
function refusedOption(error: Error | null): string | number | undefined {
  return error instanceof ApiError ? error.values?.["option"] : undefined;
}

/** Saves what changed in the section; quiet while nothing has. */
function SaveButton({ id, hasChanges, isSaving }: { id: Section["id"]; hasChanges: boolean; isSaving: boolean }) {
  const { t } = useTranslation("settings", "common");
  return (
    <Button
      type="submit"
      variant={hasChanges ? "filled" : "default"}
      loading={isSaving}
      aria-label={t("saveSection", { section: t(`sections.${id}.title`) })}
    >
      {t("common:save")}
    </Button>
  );
}

interface OptionSectionCardProps {
  section: Section;
  saved: SavedOptions;
  /** Reason against saving the typed values; undefined for none. */
  refuse?: () => string | undefined;
  onDraft?: (draft: Draft) => void;
  extra?: ReactNode;
  /** Fields that an action needs, and the text beside missing ones. */
  marked?: { readonly keys: readonly string[]; readonly text: string };
  children?: ReactNode;
}

type SectionFormProps = Omit<OptionSectionCardProps, "section"> & { section: ShownSection };

/** Error of a number; false if it is valid. */
function numberError(
  field: SectionField,
  changes: readonly { readonly key: string; readonly value: string }[],
  t: Translate<"settings">,
  language: string,
): string | false {
  const problem = numberProblem(field, changes);
  if (problem === undefined) return false;
  const { min = 0, max = Number.MAX_SAFE_INTEGER, decimals = 0 }: OptionDefinition = OPTION_DEFINITIONS[field.key];
  return t(problem, { min: formatNumber(min, language), max: formatNumber(max, language), decimals });
}

/** Returns the ref of a form and the function that moves the focus to its first wrong field, once the fields are marked. */
function useFocusWrong() {
  const form = useRef<HTMLFormElement>(null);
  const [attempts, setAttempts] = useState(0);
  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [attempts]);
  return { form, focusWrong: () => setAttempts((count) => count + 1) };
}

/** State of a section's fields: typed values, errors, and saving of the changed ones. */
function useSectionForm({ section, saved, refuse, onDraft, marked }: SectionFormProps) {
  const { t, language } = useTranslation("settings", "common");
  const [draft, setDraft] = useState<Draft>({});
  const [refusal, setRefusal] = useState<string>();
  const [retype, setRetype] = useState<readonly string[]>([]);
  const [wrongNumbers, setWrongNumbers] = useState<readonly string[]>([]);
  const { form, focusWrong } = useFocusWrong();
  const mayChange = useConfirmOptions(saved);
  const save = useSaveOptions();
  const problem = useErrorText(save.error);
  const wrongKey = refusedOption(save.error);
  const changes = changedOptions(section.fields, draft, saved);
  useEffect(() => watchUnsaved(() => changes.length > 0));
  const change = (next: Draft) => {
    setDraft(next);
    setRetype([]);
    setWrongNumbers([]);
    setRefusal(undefined);
    onDraft?.(next);
    if (save.isError) save.reset();
  };
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    const missing = secretsToRetype(section.fields, draft, saved);
    setRetype(missing);
    const refused = changes.length === 0 ? undefined : refuse?.();
    setRefusal(refused);
    const wrong = section.fields.filter((field) => numberProblem(field, changes) !== undefined).map(({ key }) => key);
    setWrongNumbers(wrong);
    if (missing.length + wrong.length > 0) focusWrong();
    if (changes.length === 0 || missing.length > 0 || wrong.length > 0 || refused !== undefined) return;
    if (!(await mayChange(changes))) return;
    const onSuccess = () => {
      change({});
      toastSuccess(t("common:operationCompleted"));
    };
    save.mutate(changes, { onSuccess, onError: focusWrong });
  };
  const errorOf = (field: SectionField): string | false => {
    const { key } = field;
    if (retype.includes(key)) return t("retypeSecret");
    if (marked?.keys.includes(key) === true) return marked.text;
    if (wrongNumbers.includes(key)) return numberError(field, changes, t, language);
    // The refusal names the option as scripts do; here it is what its label says.
    return key === wrongKey && problem.replace(key, t(`fields.${key}`));
  };
  const isAtField = section.fields.some(({ key }) => key === wrongKey);
  const problems = [save.isError && !isAtField ? problem : undefined, refusal].filter((text) => text !== undefined);
  return { form, draft, change, submit, errorOf, problems, hasChanges: changes.length > 0, isSaving: save.isPending };
}

function without(draft: Draft, key: string): Draft {
  return Object.fromEntries(Object.entries(draft).filter(([typed]) => typed !== key));
}

/** The fields of a section and the button that saves what changed. */
function OptionFields(props: SectionFormProps) {
  const { section, saved, extra } = props;
  const { t } = useTranslation("settings");
  const { form, draft, change, submit, errorOf, problems, hasChanges, isSaving } = useSectionForm(props);
  const valueOf = (key: string) => draft[key] ?? saved.values[key] ?? "";
  // A number field reports its value again when it loses the focus: that edits nothing, and the marks of wrong fields stay.
  const edit = (key: string, value: string) => {
    if (value !== valueOf(key)) change({ ...draft, [key]: value });
  };
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
      <div className={classes.fields} data-fields>
        {section.fields.map((field) => (
          <WithOrigin
            key={field.key}
            optionKey={field.key}
            field={field}
            label={t(`fields.${field.key}`)}
            saved={saved}
            onReset={() => change(without(draft, field.key))}
          >
            <OptionInput
              field={field}
              value={valueOf(field.key)}
              isSet={saved.secrets.includes(field.key)}
              error={errorOf(field)}
              onChange={(value) => edit(field.key, value)}
            />
          </WithOrigin>
        ))}
      </div>
      {problems.map((problem) => (
        <ProblemAlert key={problem} mt="md">
          {problem}
        </ProblemAlert>
      ))}
      <div className={classes.foot}>
        {extra}
        <SaveButton id={section.id} hasChanges={hasChanges} isSaving={isSaving} />
      </div>
    </form>
  );
}

/** One section of options: switches, fields, and a button that saves what changed. Nothing where the viewer may set none of them. */
export function OptionSectionCard(props: OptionSectionCardProps) {
  const { saved, children } = props;
  const { t } = useTranslation("settings");
  const isRoot = useIsRoot();
  const section = settablePart(props.section, { isRoot, isNarrowed: saved.values["RootOnlySettings"] === "true" });
  if (section.switches.length + section.fields.length === 0) return null;
  return (
    <SectionCard title={t(`sections.${section.id}.title`)} description={t(`sections.${section.id}.text`)}>
      {section.switches.length > 0 && <OptionSwitches switches={section.switches} saved={saved} />}
      {section.fields.length > 0 && <OptionFields {...props} section={section} />}
      {children}
      <LastChange
        keys={[...section.switches, ...section.fields.map(({ key }) => key)]}
        labelOf={(key) => t(`fields.${key}`)}
      />
    </SectionCard>
  );
}
