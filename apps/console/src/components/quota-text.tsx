import { useTranslation } from "react-i18next";
import { formatInteger } from "../lib/format.ts";
import { useFormatQuota } from "../lib/use-format-quota.ts";

/** An amount of quota as the status says it is shown; the exact amount on hover. */
export function QuotaText({ quota }: { quota: number }) {
  const { i18n, t } = useTranslation();
  const format = useFormatQuota();
  return (
    <span className="numbers" title={t("quotaExact", { amount: formatInteger(quota, i18n.language) })}>
      {format(quota)}
    </span>
  );
}
