import { QuotaText } from "../../../components/quota-text.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { SectionField } from "../fields/shown-section.ts";
import classes from "./option-origin.module.css";

interface OptionValueProps {
  /** Undefined for a switch. */
  field: SectionField | undefined;
  value: string;
}

export function OptionValue({ field, value }: OptionValueProps) {
  const { t } = useTranslation("settings");
  if (value === "") return <span className={classes.quiet}>{t("origin.empty")}</span>;
  if (value === "true" || value === "false") return t(`origin.${value}`);
  if (field?.kind === "quota") return <QuotaText quota={Number(value)} />;
  if (field?.kind === "choice") {
    const choice = field.choices.find((known) => known === value);
    if (choice !== undefined) return t(`choices.${choice}`);
  }
  return <span className={classes.value}>{value}</span>;
}
