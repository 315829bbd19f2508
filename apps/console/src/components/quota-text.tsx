import { useTranslation } from "../lib/i18n/use-translation.ts";
import { formatInteger } from "../lib/format.ts";
import { useFormatQuota } from "../lib/use-format-quota.ts";

/** An amount of quota as the status says it is shown; the exact amount on hover. */
export function QuotaText({ quota }: { quota: number }) {
  const { t, language } = useTranslation();
  const format = useFormatQuota();
  return (
    <span className="numbers" title={t("quotaExact", { amount: formatInteger(quota, language) })}>
      {format(quota)}
    </span>
  );
}
