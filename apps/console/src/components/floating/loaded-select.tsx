import { Select } from "@mantine/core";
import type { ChoiceProps } from "./select.tsx";

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
