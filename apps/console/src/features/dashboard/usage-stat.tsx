import type { Dashboard, Usage } from "@one-api/contract/usage/dashboard";
import { Stat } from "../../components/boxes/stat.tsx";
import type { DashboardMetric } from "./dashboard-search.ts";
import { UsageDifference } from "./usage-difference.tsx";
import { metricOf, useMetricText } from "./usage-metrics.ts";

interface UsageStatProps {
  label: string;
  metric: DashboardMetric;
  usage: Dashboard | undefined;
  note?(total: Usage): string;
}

export function UsageStat({ label, metric, usage, note }: UsageStatProps) {
  const text = useMetricText();
  if (usage === undefined) {
    return (
      <Stat label={label} note="">
        …
      </Stat>
    );
  }
  const { total, before, is_complete: isComplete } = usage;
  const difference =
    isComplete && before !== null ? <UsageDifference metric={metric} total={total} before={before} /> : "";
  return (
    <Stat label={label} note={note === undefined ? difference : note(total)}>
      {text(metric, metricOf(metric, total))}
    </Stat>
  );
}
