import type { Dashboard } from "@one-api/contract/usage/dashboard";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { UsageStat } from "../../dashboard/usage-stat.tsx";

export function TodayStats({ usage }: { usage: Dashboard | undefined | null }) {
  const { t } = useTranslation("home");
  const shared = { usage, hasTrend: true, than: t("summary.thanYesterday") };
  return (
    <>
      <UsageStat label={t("summary.spendToday")} metric="spend" {...shared} />
      <UsageStat label={t("summary.requestsToday")} metric="requests" {...shared} />
      <UsageStat label={t("summary.errorsToday")} metric="errors" {...shared} />
    </>
  );
}
