import type { Dashboard } from "@one-api/contract/usage/dashboard";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { ComparedWith } from "../../dashboard/usage-difference.tsx";
import { UsageStat } from "../../dashboard/usage-stat.tsx";

/** Usage of today is compared with the same hours of yesterday. */
export function useYesterday(): ComparedWith {
  const { t } = useTranslation("home");
  return { than: t("summary.thanYesterday"), same: t("summary.asYesterday") };
}

export function TodayStats({ usage }: { usage: Dashboard | undefined | null }) {
  const { t } = useTranslation("home");
  const shared = { usage, hasTrend: true, against: useYesterday() };
  return (
    <>
      <UsageStat label={t("summary.spendToday")} metric="spend" {...shared} />
      <UsageStat label={t("summary.requestsToday")} metric="requests" {...shared} />
      <UsageStat label={t("summary.errorsToday")} metric="errors" {...shared} />
    </>
  );
}
