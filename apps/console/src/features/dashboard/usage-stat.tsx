import type { Dashboard, Usage } from "@one-api/contract/usage/dashboard";
import { Stat } from "../../components/boxes/stat.tsx";
import type { DashboardMetric } from "./dashboard-search.ts";
import { UsageDifference } from "./usage-difference.tsx";
import { metricOf, useMetricText } from "./usage-metrics.ts";

interface UsageStatProps {
  label: string;
  metric: DashboardMetric;
  /** Undefined until it is known. */
  usage: Dashboard | undefined;
  /** In place of the difference from the period before. */
  note?(total: Usage): string;
}

/** A total of a period, with its difference from the period before or a note. */
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
