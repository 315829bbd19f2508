import { OPTION_DEFINITIONS } from "@one-api/contract/options/option-definitions";
import type { OptionDefinition } from "@one-api/contract/options/define-option";
import { type SyntheticEvent, useEffect, useRef, useState } from "react";
import { ApiError } from "../../../lib/api/api-error.ts";
import { useErrorText } from "../../../lib/api/error-text.ts";
import { formatNumber } from "../../../lib/format.ts";
import type { Translate } from "../../../lib/i18n/text-keys.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { watchUnsaved } from "../../../lib/state/unsaved-work.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import {
  changedOptions,
  type Draft,
  numberProblem,
  type OptionChange,
  type SavedOptions,
  secretsToRetype,
} from "../options/option-draft.ts";
import { useSaveOptions } from "../options/option-queries.ts";
import type { SectionField, ShownSection } from "../fields/shown-section.ts";
import { useConfirmOptions } from "../options/use-confirm-options.ts";

export interface SectionFormProps {
  section: ShownSection;
  saved: SavedOptions;
  /** Reason against saving these changes; undefined for none. */
  refuse?: (changes: readonly OptionChange[]) => string | undefined;
  onDraft?: (draft: Draft) => void;
  /** Fields that an action needs, and the text beside missing ones. */
  marked?: { readonly keys: readonly string[]; readonly text: string };
}

function refusedOption(error: Error | null): string | number | undefined {
  return error instanceof ApiError ? error.values?.["option"] : undefined;
}

/** Error of a number; false if it is valid. */
function numberError(
  field: SectionField,
  changes: readonly OptionChange[],
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
export function useSectionForm({ section, saved, refuse, onDraft, marked }: SectionFormProps) {
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
    const refused = changes.length === 0 ? undefined : refuse?.(changes);
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
    // Replaces the option's key in the refusal by its label.
    return key === wrongKey && problem.replace(key, t(`fields.${key}`));
  };
  const isAtField = section.fields.some(({ key }) => key === wrongKey);
  const problems = [save.isError && !isAtField ? problem : undefined, refusal].filter((text) => text !== undefined);
  return { form, draft, change, submit, errorOf, problems, changes: changes.length, isSaving: save.isPending };
}
