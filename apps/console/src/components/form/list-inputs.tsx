import { MultiSelect, type MultiSelectProps, TagsInput, type TagsInputProps } from "@mantine/core";
import { useTranslation } from "../../lib/i18n/use-translation.ts";

/** Makes the input as high as other fields, with its entries centred and the typed text beside them. In px. */
export const ENTRY_STYLES = {
  input: { alignContent: "center", paddingBlock: 3 },
  inputField: { minWidth: 40 },
} as const;

const CHOICES_SHOWN = 100;

export function ChoiceListInput(props: MultiSelectProps) {
  const { t } = useTranslation();
  return (
    <MultiSelect
      styles={ENTRY_STYLES}
      searchable
      clearable
      hidePickedOptions
      limit={CHOICES_SHOWN}
      nothingFoundMessage={t("noMatch.title")}
      {...props}
    />
  );
}

const SUGGESTIONS_SHOWN = 100;

/** Phone keyboards may insert several characters at once, so separators are not seen as keys. */
const SEPARATORS = [",", "，", " ", "\n"];

function splitEach(entries: readonly string[]): string[] {
  return [...new Set(entries.flatMap((entry) => entry.split(/[,，\s]+/)).filter((entry) => entry !== ""))];
}

/** A list of free texts with suggestions; commas, spaces and line breaks separate typed or pasted entries. */
export function FreeListInput({ onChange, ...field }: TagsInputProps) {
  return (
    <TagsInput
      styles={ENTRY_STYLES}
      splitChars={SEPARATORS}
      limit={SUGGESTIONS_SHOWN}
      clearable
      acceptValueOnBlur
      {...field}
      onChange={(entries) => onChange?.(splitEach(entries))}
    />
  );
}
