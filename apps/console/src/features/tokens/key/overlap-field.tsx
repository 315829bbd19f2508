import { Radio, Stack } from "@mantine/core";
import { KEY_OVERLAPS } from "@one-api/contract/token-constants";

const [, , DAY] = KEY_OVERLAPS;

type Overlap = (typeof KEY_OVERLAPS)[number];

export const USUAL_OVERLAP: Overlap = DAY;

interface OverlapFieldProps {
  label: string;
  description?: string;
  /** Text of each choice, and a note below it. */
  textOf(overlapSeconds: Overlap): { label: string; description?: string };
  /** Seconds for which the replaced key still works. */
  value: number;
  onChange(overlapSeconds: number): void;
}

export function OverlapField({ label, description, textOf, value, onChange }: OverlapFieldProps) {
  return (
    <Radio.Group
      label={label}
      description={description}
      inputWrapperOrder={["label", "description", "input"]}
      value={String(value)}
      onChange={(chosen) => onChange(Number(chosen))}
    >
      <Stack gap="xs" mt="sm">
        {KEY_OVERLAPS.map((seconds) => (
          <Radio
            key={seconds}
            value={String(seconds)}
            {...textOf(seconds)}
            data-autofocus={seconds === USUAL_OVERLAP || undefined}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
