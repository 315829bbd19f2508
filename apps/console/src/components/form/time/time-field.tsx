import { TextInput } from "@mantine/core";
import { type Ref, useState } from "react";
import { formatDate } from "../../../lib/format.ts";
import { readMoment } from "./read-moment.ts";
import { DayButton } from "./day-button.tsx";
import classes from "./time-field.module.css";

interface TimeFieldProps {
  ref?: Ref<HTMLInputElement>;
  label: string;
  chooseLabel: string;
  description?: string;
  /** YYYY-MM-DD, with or without HH:MM:SS. */
  value: string;
  placeholder: string;
  problem: string | undefined;
  first?: string | undefined;
  last?: string | undefined;
  isNested?: boolean;
  onChange(text: string): void;
}

/** A day or a moment in the viewer's zone: typed, or its day chosen from a calendar. */
export function TimeField(props: TimeFieldProps) {
  const { chooseLabel, value, problem, first, last, isNested = false, onChange, ...field } = props;
  const [wasLeft, setWasLeft] = useState(false);
  const moment = readMoment(value);
  const clock = /\d{1,2}:\d{2}(:\d{2})?$/.exec(value.trim())?.[0];
  return (
    <TextInput
      {...field}
      classNames={{ section: classes.section }}
      value={value}
      error={wasLeft && problem}
      autoComplete="off"
      spellCheck={false}
      onBlur={() => setWasLeft(true)}
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSection={
        <DayButton
          label={chooseLabel}
          isNested={isNested}
          day={moment === undefined ? undefined : formatDate(moment)}
          first={first}
          last={last}
          onChoose={(day) => onChange(clock === undefined ? day : `${day} ${clock}`)}
        />
      }
    />
  );
}
