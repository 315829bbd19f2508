import { Select } from "@mantine/core";

interface Option {
  readonly value: string;
  readonly label: string;
}

export interface ChoiceProps {
  "aria-label": string;
  data: readonly (string | Option)[];
  value: string | null;
  onChange(value: string | null): void;
  placeholder?: string;
  className?: string;
  size?: "xs" | "sm";
  searchable?: boolean;
  /** Whether it can be emptied, by a button in it. */
  clearable?: boolean;
  /** Most entries of the list; the search finds the others. */
  limit?: number;
  /** Of the list, in px, where it is not the field's. */
  listWidth?: number;
}

/** A choice with its list. */
export default function LoadedSelect({
  data,
  listWidth,
  startsOpened,
  ...props
}: ChoiceProps & { startsOpened: boolean }) {
  return (
    <Select
      {...props}
      data={[...data]}
      defaultDropdownOpened={startsOpened}
      {...(listWidth === undefined ? {} : { comboboxProps: { width: listWidth, position: "bottom-start" } })}
    />
  );
}
