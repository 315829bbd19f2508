import type { Usage } from "@one-api/contract/usage/dashboard";
import { formatNumber, formatSeconds } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import type { DashboardMetric } from "./dashboard-search.ts";
import { metricOf, useMetricText } from "./usage-metrics.ts";

export interface UsageColumn {
  readonly id: DashboardMetric | "total_time" | "speed";
  readonly header: string;
  /** A time or a speed, which intervals have only while these are what the chart shows. */
  readonly isTime: boolean;
  text(usage: Usage): string;
  more(usage: Usage): string;
}

const nothing = () => "";

export function useUsageColumns(metrics: readonly DashboardMetric[]): readonly UsageColumn[] {
  const { t, language } = useTranslation("dashboard");
  const text = useMetricText();
  const time = (ms: number | null) => (ms === null ? "–" : formatSeconds(ms));
  const p95 = (ms: number | null) => (ms === null ? "" : t("breakdown.p95", { time: formatSeconds(ms) }));
  const speed = (tokens: number | null) => (tokens === null ? "–" : formatNumber(tokens, language, 1));
  return metrics.flatMap((id): UsageColumn[] => {
    const header = t(`metrics.${id}`);
    const own = { id, header, isTime: false, text: (usage: Usage) => text(id, metricOf(id, usage)), more: nothing };
    if (id !== "first_byte") return [own];
    return [
      { ...own, isTime: true, more: (usage) => p95(usage.first_byte_p95_ms) },
      {
        id: "total_time",
        header: t("breakdown.totalTime"),
        isTime: true,
        text: (usage) => time(usage.total_p50_ms),
        more: (usage) => p95(usage.total_p95_ms),
      },
      {
        id: "speed",
        header: t("breakdown.speed"),
        isTime: true,
        text: (usage) => speed(usage.tokens_per_second),
        more: nothing,
      },
    ];
  });
}
