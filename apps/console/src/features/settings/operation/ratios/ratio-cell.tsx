import { ActionIcon, TextInput } from "@mantine/core";
import { OPTION_RATIOS } from "@one-api/contract/prices/ratios";
import { IconArrowBackUp } from "@tabler/icons-react";
import { useState } from "react";
import { formatPrice, roundToDigits } from "../../../../lib/format.ts";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import classes from "./ratios.module.css";

/** Digits of an inherited value, which is never saved as displayed. */
const SHOWN_DIGITS = 5;

interface RatioCellProps {
  label: string;
  /** Undefined where nothing is set; the inherited value stands in its place. */
  value: number | undefined;
  instead: number | undefined;
  /** A price in dollars, shown with its sign and cents. */
  isMoney?: boolean;
  max?: number;
  disabled?: boolean;
  /** With it, a value that differs from the inherited one has a button that restores it. */
  onBack?: () => void;
  /** Undefined removes the value; cells that require one revert. */
  onChange(value: number | undefined): void;
}

interface BackMarkProps {
  label: string;
  instead: number;
  onBack(): void;
}

/** Restores the default of a value that differs from it. */
function BackMark({ label, instead, onBack }: BackMarkProps) {
  const { t } = useTranslation("settings");
  const value = roundToDigits(instead, SHOWN_DIGITS);
  return (
    <ActionIcon
      size={20}
      className={classes.mark ?? ""}
      aria-label={t("ratios.backOf", { field: label, value })}
      data-tip={t("ratios.back", { value })}
      onClick={onBack}
    >
      <IconArrowBackUp size={14} />
    </ActionIcon>
  );
}

const isNumber = /^\d*\.?\d+(e-?\d+)?$/i;

/** A number in a table. Valid input counts while typing; invalid input reverts on blur. */
export function RatioCell({
  label,
  value,
  instead,
  isMoney = false,
  max = OPTION_RATIOS.max,
  disabled = false,
  onBack,
  onChange,
}: RatioCellProps) {
  const { t } = useTranslation("settings");
  const [typed, setTyped] = useState<string>();
  const read = (text: string) => (isNumber.test(text.trim()) ? Number(text) : undefined);
  const isWrong =
    typed !== undefined && typed.trim() !== "" && !((read(typed) ?? -1) >= 0 && (read(typed) ?? 0) <= max);
  const change = (text: string) => {
    setTyped(text);
    const number = read(text);
    if (text.trim() === "") onChange(undefined);
    else if (number !== undefined && number <= max) onChange(number);
  };
  const shown = (number: number) => (isMoney ? formatPrice(number).slice(1) : String(number));
  const isMarked = onBack !== undefined && value !== undefined && instead !== undefined && value !== instead;
  return (
    <TextInput
      className={classes.cell ?? ""}
      classNames={{ input: classes.number ?? "" }}
      size="xs"
      inputMode="decimal"
      aria-label={label}
      title={isWrong ? t("ratios.numberUpTo", { max }) : label}
      error={isWrong}
      disabled={disabled}
      data-own={onBack === undefined ? value !== undefined : isMarked}
      leftSection={isMoney && "$"}
      leftSectionWidth={isMoney ? 20 : 0}
      rightSection={isMarked && <BackMark label={label} instead={instead} onBack={onBack} />}
      rightSectionWidth={isMarked ? 24 : 0}
      placeholder={instead === undefined ? "–" : shown(isMoney ? instead : roundToDigits(instead, SHOWN_DIGITS))}
      value={typed ?? (value === undefined ? "" : shown(value))}
      onChange={(event) => change(event.currentTarget.value)}
      // All its digits, while it is edited.
      onFocus={() => value !== undefined && setTyped(String(value))}
      onBlur={() => setTyped(undefined)}
    />
  );
}
