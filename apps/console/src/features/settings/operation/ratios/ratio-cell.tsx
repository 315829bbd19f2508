import { ActionIcon, TextInput } from "@mantine/core";
import { OPTION_RATIOS } from "@one-api/contract/prices/ratios";
import { IconPointFilled } from "@tabler/icons-react";
import { useState } from "react";
import { roundToDigits } from "../../../../lib/format.ts";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import classes from "./ratios.module.css";

/** Digits of an inherited value, which is never saved as displayed. */
const SHOWN_DIGITS = 5;

interface RatioCellProps {
  label: string;
  /** Undefined where nothing is set; what holds then stands in grey. */
  value: number | undefined;
  instead: number | undefined;
  sign?: string;
  max?: number;
  disabled?: boolean;
  /** With it, a value that differs from the inherited one has a mark that restores it. */
  onBack?: () => void;
  /** Undefined removes the value; cells that require one revert. */
  onChange(value: number | undefined): void;
}

interface BackMarkProps {
  label: string;
  instead: number;
  onBack(): void;
}

/** Mark of a value that differs from the list or the default; a press restores that. */
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
      <IconPointFilled size={14} />
    </ActionIcon>
  );
}

/** A number in a table. Valid input counts while typing; invalid input reverts on blur. */
export function RatioCell({
  label,
  value,
  instead,
  sign,
  max = OPTION_RATIOS.max,
  disabled = false,
  onBack,
  onChange,
}: RatioCellProps) {
  const { t } = useTranslation("settings");
  const [typed, setTyped] = useState<string>();
  const read = (text: string) => (/^\d*\.?\d+(e-?\d+)?$/i.test(text.trim()) ? Number(text) : undefined);
  const isWrong =
    typed !== undefined && typed.trim() !== "" && !((read(typed) ?? -1) >= 0 && (read(typed) ?? 0) <= max);
  const change = (text: string) => {
    setTyped(text);
    const number = read(text);
    if (text.trim() === "") onChange(undefined);
    else if (number !== undefined && number <= max) onChange(number);
  };
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
      leftSection={sign}
      leftSectionWidth={sign === undefined ? 0 : 20}
      rightSection={isMarked && <BackMark label={label} instead={instead} onBack={onBack} />}
      rightSectionWidth={isMarked ? 24 : 0}
      placeholder={instead === undefined ? "" : String(roundToDigits(instead, SHOWN_DIGITS))}
      value={typed ?? (value === undefined ? "" : String(value))}
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={() => setTyped(undefined)}
    />
  );
}
