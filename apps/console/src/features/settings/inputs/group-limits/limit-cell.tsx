import { NumberInput } from "@mantine/core";
import { MAX_LIMIT } from "@one-api/contract/limits/limit-constants";
import classes from "./group-limits.module.css";

interface LimitCellProps {
  label: string;
  value: number | undefined;
  /** Model tokens or requests for each 1 of the value: 1 or 1,000. */
  unit: number;
  onChange(value: number | undefined): void;
}

export function LimitCell({ label, value, unit, onChange }: LimitCellProps) {
  return (
    <NumberInput
      className={classes.cell ?? ""}
      size="xs"
      hideControls
      aria-label={label}
      title={label}
      placeholder="–"
      min={0}
      max={MAX_LIMIT}
      allowDecimal={false}
      allowNegative={false}
      thousandSeparator=","
      suffix={unit === 1_000 ? "k" : ""}
      value={value ?? ""}
      onChange={(typed) => onChange(typeof typed === "number" ? typed : undefined)}
    />
  );
}
