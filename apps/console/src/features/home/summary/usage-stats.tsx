import type { Dashboard } from "@one-api/contract/usage/dashboard";
import { Stat } from "../../../components/boxes/stat.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { DashboardMetric } from "../../dashboard/dashboard-search.ts";
import { UsageDifference } from "../../dashboard/usage-difference.tsx";
import { metricOf, useMetricText } from "../../dashboard/usage-metrics.ts";

interface UsageStatProps {
  label: string;
  metric: DashboardMetric;
  /** Undefined until it is known. */
  usage: Dashboard | undefined;
}

/** A total of a period with its difference from the period before. */
export function UsageStat({ label, metric, usage }: UsageStatProps) {
  const text = useMetricText();
  const before = usage?.is_complete === true ? usage.before : null;
  return (
    <Stat
      label={label}
      note={
        usage === undefined || before === null ? (
          ""
        ) : (
          <UsageDifference metric={metric} total={usage.total} before={before} />
        )
      }
    >
      {usage === undefined ? "…" : text(metric, metricOf(metric, usage.total))}
    </Stat>
  );
}

/** Spend, requests and error rate of today. */
export function TodayStats({ usage }: { usage: Dashboard | undefined }) {
  const { t } = useTranslation("home", "dashboard");
  return (
    <>
      <UsageStat label={t("summary.spendToday")} metric="spend" usage={usage} />
      <UsageStat label={t("summary.requestsToday")} metric="requests" usage={usage} />
      <UsageStat label={t("dashboard:metrics.errors")} metric="errors" usage={usage} />
    </>
  );
}
