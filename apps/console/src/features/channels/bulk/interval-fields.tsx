import { Group, Input, NativeSelect, NumberInput } from "@mantine/core";
import { CHANNEL_LIMITS, CHECK_AS_SET } from "@one-api/contract/channels/channel-constants";
import { useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { typedNumber } from "../../../lib/values/typed-number.ts";

const INTERVALS = ["test_minutes", "balance_minutes", "models_minutes"] as const;

/** Minutes between checks: 0 for never, -1 for the setting, undefined for no change. */
export type Intervals = Readonly<Partial<Record<(typeof INTERVALS)[number], number | undefined>>>;

const MODES = ["same", "asSet", "never", "every"] as const;
type Mode = (typeof MODES)[number];

interface IntervalFieldProps {
  name: (typeof INTERVALS)[number];
  onChange(minutes: number | undefined): void;
}

function minutesOf(mode: Mode, every: number | string): number | undefined {
  if (mode === "asSet") return CHECK_AS_SET;
  if (mode === "never") return 0;
  return mode === "every" && every !== "" ? typedNumber(every) : undefined;
}

function IntervalField({ name, onChange }: IntervalFieldProps) {
  const { t } = useTranslation("channel-bulk");
  const [mode, setMode] = useState<Mode>("same");
  const [every, setEvery] = useState<number | string>("");
  const label = t(`edit.intervals.${name}`);
  const change = (nextMode: Mode, nextEvery: number | string) => {
    setMode(nextMode);
    setEvery(nextEvery);
    onChange(minutesOf(nextMode, nextEvery));
  };
  return (
    <Input.Wrapper label={label} labelElement="div">
      <Group gap="xs" grow>
        <NativeSelect
          aria-label={label}
          data={MODES.map((one) => ({ value: one, label: t(`edit.intervals.${one}`) }))}
          value={mode}
          onChange={({ currentTarget }) => change(MODES.find((one) => one === currentTarget.value) ?? "same", every)}
        />
        {mode === "every" && (
          <NumberInput
            aria-label={t("edit.intervals.minutes", { label })}
            suffix=" min"
            min={1}
            max={CHANNEL_LIMITS.checkMinutes}
            allowDecimal={false}
            allowNegative={false}
            value={every}
            onChange={(minutes) => change(mode, minutes)}
          />
        )}
      </Group>
    </Input.Wrapper>
  );
}

/** Intervals of the scheduled checks of many channels. */
export function IntervalFields({ onChange }: { onChange(intervals: Intervals): void }) {
  return INTERVALS.map((name) => (
    <IntervalField key={name} name={name} onChange={(minutes) => onChange({ [name]: minutes })} />
  ));
}
