import { NumberInput, type NumberInputProps } from "@mantine/core";
import { formatQuota } from "../../lib/format.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import classes from "./quota-input.module.css";

const DOLLARS_PADDING_PX = 20;
const DOLLARS_DIGIT_PX = 8;

/** Returns what words an amount of quota in dollars. */
export function useDollars(): (quota: number | string) => string {
  const { quota_per_unit: quotaPerUnit } = useStoredStatus();
  return (quota) => formatQuota(typeof quota === "number" ? quota : 0, { displayInCurrency: true, quotaPerUnit });
}

/** A whole amount of quota; what it is in dollars stands beside it. */
export function QuotaInput({ value = "", ...field }: NumberInputProps) {
  const dollars = `= ${useDollars()(value)}`;
  return (
    <NumberInput
      thousandSeparator=","
      allowDecimal={false}
      allowNegative={false}
      hideControls
      rightSection={<span className={classes.dollars}>{dollars}</span>}
      rightSectionWidth={DOLLARS_PADDING_PX + dollars.length * DOLLARS_DIGIT_PX}
      value={value}
      {...field}
    />
  );
}
