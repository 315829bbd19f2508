import { ActionIcon, TextInput } from "@mantine/core";
import { OPTION_RATIOS } from "@one-api/contract/prices/ratios";
import { IconPointFilled } from "@tabler/icons-react";
import { useState } from "react";
import { roundToDigits } from "../../../../lib/format.ts";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import classes from "./ratios.module.css";

/** Of what is not set here; that is never saved as it is shown. */
const SHOWN_DIGITS = 5;

interface RatioCellProps {
  /** What it is of what, for screen readers. */
  label: string;
  /** Undefined where nothing is set; what holds then stands in grey. */
  value: number | undefined;
  instead: number | undefined;
  /** In front of the number. */
  sign?: string;
  max?: number;
  disabled?: boolean;
  /** With it, a value that is another than what would hold instead has a mark, by which it goes back. */
  onBack?: () => void;
  /** By undefined, nothing is set any more; cells that cannot be emptied go back to what was. */
  onChange(value: number | undefined): void;
}

interface BackMarkProps {
  label: string;
  instead: number;
  onBack(): void;
}

/** Says that a value is another than the list's, or the default; a press goes back to that. */
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

/** A number in a table. What is typed counts while it is one; what is none is taken back when the cell is left. */
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
