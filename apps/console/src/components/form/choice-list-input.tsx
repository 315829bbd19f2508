import { MultiSelect, type MultiSelectProps } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** Most entries that the menu shows at once; typing narrows it down. */
const CHOICES_SHOWN = 100;

/** A list of texts chosen from given ones. */
export function ChoiceListInput(props: MultiSelectProps) {
  const { t } = useTranslation();
  return (
    <MultiSelect
      searchable
      clearable
      hidePickedOptions
      limit={CHOICES_SHOWN}
      nothingFoundMessage={t("noMatch.title")}
      {...props}
    />
  );
}
