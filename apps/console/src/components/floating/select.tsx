import { TextInput } from "@mantine/core";
import { IconSelector } from "@tabler/icons-react";
import { useState } from "react";
import { laterPart } from "../../lib/loading/later-part.ts";
import type { ChoiceProps } from "./loaded-select.tsx";

const LoadedSelect = laterPart(() => import("./loaded-select.tsx"));

function ClosedSelect({ props, onPress }: { props: ChoiceProps; onPress(): void }) {
  const { data, value, className, size, placeholder, label, "aria-label": name } = props;
  const chosen = data.find((option) => (typeof option === "string" ? option : option.value) === value);
  return (
    <TextInput
      readOnly
      aria-label={name}
      {...(label === undefined ? {} : { label })}
      {...(className === undefined ? {} : { className })}
      {...(size === undefined ? {} : { size })}
      {...(placeholder === undefined ? {} : { placeholder })}
      value={typeof chosen === "object" ? chosen.label : (chosen ?? "")}
      rightSection={<IconSelector size={16} />}
      rightSectionPointerEvents="none"
      onClick={onPress}
    />
  );
}

export function Select(props: ChoiceProps) {
  const [presses, setPresses] = useState(0);
  return (
    <LoadedSelect
      timesWanted={presses}
      instead={<ClosedSelect props={props} onPress={() => setPresses(presses + 1)} />}
      props={{ ...props, startsOpened: presses > 0 }}
    />
  );
}
