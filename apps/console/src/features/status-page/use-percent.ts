import { formatPercent } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";

/** Returns how parts are written: never 100 % for less than all. */
export function usePercent(): (part: number | null) => string {
  const { t, language } = useTranslation("status-page");
  return (part) => (part === null ? t("legend.unused") : formatPercent(part, language, 2, "floor"));
}
