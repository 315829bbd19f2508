import { NEVER_EXPIRES } from "@one-api/contract/token-constants";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { formatDate } from "../../../lib/format.ts";
import { useFormatQuota } from "../../../lib/use-format-quota.ts";
import { readExpiry } from "./expiry.ts";
import type { TokenValues } from "./token-form-model.ts";

/** Returns the values of the form as one sentence, such as "The token may spend $1.00 until 2026-12-27: all models.". */
export function useTokenSummary(): (values: TokenValues) => string {
  const { t } = useTranslation("tokens", "common");
  const format = useFormatQuota();
  return (values) => {
    const { remain_quota: quota, unlimited_quota: isUnlimited, rpm_limit: requests, models } = values;
    const expiry = readExpiry(values.expired_time);
    const spend = isUnlimited
      ? t("summary.unlimited")
      : t("summary.spend", { amount: format(typeof quota === "number" ? quota : 0) });
    const until = () =>
      expiry === NEVER_EXPIRES
        ? t("summary.never", { spend })
        : t("summary.until", { spend, date: formatDate(expiry ?? 0) });
    const may = expiry === undefined ? spend : until();
    const limits = [
      ...(Number(requests) > 0 ? [t("summary.requests", { count: Number(requests) })] : []),
      models.length === 0 ? t("summary.allModels") : t("summary.models", { count: models.length }),
    ];
    return t("summary.sentence", { may, limits: limits.join(t("common:listSeparator")) });
  };
}
