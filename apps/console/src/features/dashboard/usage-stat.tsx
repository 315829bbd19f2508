import type { Dashboard, Usage } from "@one-api/contract/usage/dashboard";
import { Stat } from "../../components/boxes/stat.tsx";
import type { DashboardMetric } from "./dashboard-search.ts";
import { type ComparedWith, UsageDifference } from "./usage-difference.tsx";
import { useTotalText } from "./usage-metrics.ts";
import { UsageTrend } from "./usage-trend.tsx";

interface UsageStatProps {
  label: string;
  metric: DashboardMetric;
  /** Undefined until it is loaded, null if it cannot be. */
  usage: Dashboard | undefined | null;
  note?(total: Usage): string;
  hasTrend?: boolean;
  /** With what the usage is compared, where the page does not say it. */
  against?: ComparedWith;
}

export function loadedUsage({ data, error }: { data: Dashboard | undefined; error: Error | null }) {
  return data ?? (error === null ? undefined : null);
}

export function UsageStat({ label, metric, usage, note, hasTrend = false, against }: UsageStatProps) {
  const text = useTotalText();
  if (usage === undefined || usage === null) {
    return (
      <Stat label={label} note="" {...(hasTrend && { trend: "" })}>
        {usage === undefined ? "…" : "–"}
      </Stat>
    );
  }
  const { total, before, parts, is_complete: isComplete } = usage;
  const difference = isComplete && before !== null ? <UsageDifference {...{ metric, total, before, against }} /> : "";
  return (
    <Stat
      label={label}
      note={note === undefined ? difference : note(total)}
      {...(hasTrend && { trend: <UsageTrend parts={parts} metric={metric} /> })}
    >
      {text(metric, total)}
    </Stat>
  );
}
