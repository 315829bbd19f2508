import { NumberInput, type NumberInputProps, UnstyledButton } from "@mantine/core";
import { IconArrowsExchange } from "@tabler/icons-react";
import { useState } from "react";
import { formatInteger, formatQuota } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useStoredStatus } from "../../../lib/state/stored-status.ts";
import classes from "./quota-input.module.css";

const SECTION_PADDING_PX = 44;
const DIGIT_PX = 8;
/** Decimals of the largest rate of quota per dollar, which has ten digits. */
const DOLLAR_DECIMALS = 9;

export function useDollars(): (quota: number | string) => string {
  const { quota_per_unit: quotaPerUnit } = useStoredStatus();
  return (quota) => formatQuota(typeof quota === "number" ? quota : 0, { displayInCurrency: true, quotaPerUnit });
}

/** Two decimals at least, as money is written. */
function withCents(amount: number): number | string {
  const [whole, decimals = ""] = String(amount).split(".");
  return decimals.length < 2 ? `${whole}.${decimals.padEnd(2, "0")}` : amount;
}

/**
 * Field of an amount of quota, entered in dollars or in quota. The button at its end shows the same amount in the other unit and switches to it.
 * `value` and `onChange` are whole quota, whichever unit is entered. `DisplayInCurrencyEnabled` decides the first unit.
 */
export function QuotaInput({ value = "", onChange, ...field }: NumberInputProps) {
  const { t, language } = useTranslation();
  const { quota_per_unit: quotaPerUnit, display_in_currency: startsInDollars } = useStoredStatus();
  const [inDollars, setInDollars] = useState(startsInDollars);
  /** Text that is being entered, such as "1." or "0.10", and the quota that it stands for. */
  const [draft, setDraft] = useState<{ text: number | string; quota: number | string }>();
  const dollars = useDollars();
  const other = inDollars
    ? t("quotaExact", { amount: formatInteger(typeof value === "number" ? value : 0, language) })
    : dollars(value);

  const enter = (text: number | string) => {
    const amount = Number(text);
    const quota = text === "" || Number.isNaN(amount) ? "" : Math.round(amount * quotaPerUnit);
    setDraft({ text, quota });
    onChange?.(quota);
  };
  const inUnit = typeof value === "number" ? withCents(value / quotaPerUnit) : value;
  const shown = draft !== undefined && draft.quota === value ? draft.text : inUnit;

  return (
    <NumberInput
      thousandSeparator=","
      allowDecimal={inDollars}
      allowNegative={false}
      hideControls
      {...field}
      {...(inDollars
        ? { prefix: "$", decimalScale: DOLLAR_DECIMALS, value: shown, onChange: enter }
        : { value, ...(onChange && { onChange }) })}
      rightSection={
        <UnstyledButton
          className={classes.other}
          disabled={field.disabled ?? false}
          onClick={() => {
            setInDollars(!inDollars);
            setDraft(undefined);
          }}
        >
          {other}
          <IconArrowsExchange size={14} />
        </UnstyledButton>
      }
      rightSectionWidth={SECTION_PADDING_PX + other.length * DIGIT_PX}
    />
  );
}
