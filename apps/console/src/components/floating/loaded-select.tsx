import { type ComboboxParsedItem, type OptionsFilter, Select } from "@mantine/core";

interface Option {
  readonly value: string;
  readonly label: string;
  readonly keywords?: string;
}

export interface ChoiceProps {
  "aria-label": string;
  /** Stands over the field: the same as its name, where there is room for it. */
  label?: string;
  data: readonly (string | Option)[];
  value: string | null;
  onChange(value: string | null): void;
  placeholder?: string;
  className?: string;
  size?: "xs" | "sm";
  searchable?: boolean;
  /** The choices are those that the server finds for the typed text. */
  onSearch?(text: string): void;
  clearable?: boolean;
  limit?: number;
  /** Of the list, in px, where it is not the field's. */
  listWidth?: number;
}

function filterByKeywords(data: ChoiceProps["data"]): OptionsFilter {
  const words = new Map(
    data.map((option) =>
      typeof option === "string"
        ? [option, option]
        : [option.value, `${option.label} ${option.keywords ?? ""}`.toLowerCase()],
    ),
  );
  return ({ options, search, limit }) => {
    const isFound = (option: ComboboxParsedItem) =>
      "value" in option && (words.get(option.value) ?? "").includes(search.trim().toLowerCase());
    return options.filter(isFound).slice(0, limit);
  };
}

export default function LoadedSelect({
  data,
  listWidth,
  startsOpened,
  onSearch,
  ...props
}: ChoiceProps & { startsOpened: boolean }) {
  return (
    <Select
      {...props}
      data={[...data]}
      {...(data.some((option) => typeof option === "object" && option.keywords !== undefined)
        ? { filter: filterByKeywords(data) }
        : {})}
      {...(onSearch === undefined ? {} : { onSearchChange: onSearch, filter: ({ options }) => options })}
      defaultDropdownOpened={startsOpened}
      {...(listWidth === undefined ? {} : { comboboxProps: { width: listWidth, position: "bottom-start" } })}
    />
  );
}
