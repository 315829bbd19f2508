import type { Dashboard, DashboardRow } from "@one-api/contract/usage/dashboard";
import type { ChartSeries } from "../../../components/charts/chart-model.ts";
import { coloursOf, REST_COLOUR } from "../../../lib/values/colour-of-name.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useRowName } from "../breakdown/usage-breakdown.tsx";
import type { DashboardKey, DashboardMetric } from "../dashboard-search.ts";
import { metricOf, runningSums } from "../usage-metrics.ts";

/** Metrics whose parts add up to the whole. */
const SPLITTABLE: ReadonlySet<DashboardMetric> = new Set(["spend", "requests", "tokens"]);

export const isSplittable = (metric: DashboardMetric) => SPLITTABLE.has(metric);

export interface UsageSeries {
  readonly key: string;
  readonly row: DashboardRow | undefined;
  readonly colour: string;
  readonly values: readonly number[];
  readonly total: number;
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** The largest rows in each interval, and after them all others together; empty if the dashboard has no rows in intervals. */
export function usageSeries(dashboard: Dashboard, metric: DashboardMetric): readonly UsageSeries[] {
  const rows = dashboard.rows.filter(({ parts }) => parts !== undefined);
  if (rows.length === 0 || !isSplittable(metric)) return [];
  const colours = coloursOf(rows.map(({ key }) => key));
  const series = rows.map((row): UsageSeries => {
    const values = (row.parts ?? []).map((part) => metricOf(metric, part) ?? 0);
    return { key: row.key, row, colour: colours.get(row.key) ?? REST_COLOUR, values, total: sumOf(values) };
  });
  const others = dashboard.parts.map((part, index) =>
    series.reduce((left, { values }) => left - (values[index] ?? 0), metricOf(metric, part) ?? 0),
  );
  if (!others.some((value) => value > 0)) return series;
  return [...series, { key: "/rest", row: undefined, colour: REST_COLOUR, values: others, total: sumOf(others) }];
}

export function useSeriesName(by: DashboardKey): (series: UsageSeries) => string {
  const { t } = useTranslation("dashboard");
  const nameOf = useRowName(by);
  return ({ row }) => {
    if (row === undefined) return t("split.others");
    return row.owner === "" ? nameOf(row) : `${nameOf(row)} · ${row.owner}`;
  };
}

/** A metric in each interval and in the intervals before, with its parts; of a metric that adds up, also as running sums. */
export interface UsageOverTime {
  readonly edges: readonly number[];
  readonly whole: readonly (number | null)[];
  readonly series: readonly UsageSeries[];
  readonly before: readonly (number | null)[] | null;
  /** Of as much of the period before as has passed of this one; null if unknown. */
  readonly beforeTotal: number | null;
}

export function usageOverTime(dashboard: Dashboard, metric: DashboardMetric, isAdded: boolean): UsageOverTime {
  const { edges, parts, before_parts: earlier, is_complete: isComplete } = dashboard;
  const whole = parts.map((part) => metricOf(metric, part));
  const series = usageSeries(dashboard, metric);
  const before = isComplete && earlier !== null ? earlier.map((part) => metricOf(metric, part)) : null;
  const beforeTotal = dashboard.before && metricOf(metric, dashboard.before);
  if (!isAdded) return { edges, whole, series, before, beforeTotal };
  return {
    edges,
    whole: runningSums(whole),
    series: series.map((one) => ({ ...one, values: runningSums(one.values) })),
    before: before && runningSums(before),
    beforeTotal,
  };
}

/** Series of the chart. Values are multiplied by `scale`. */
export function chartSeriesOf(
  { edges, whole, series, before }: UsageOverTime,
  metric: DashboardMetric,
  scale: number,
): readonly ChartSeries[] {
  const scaled = (values: readonly (number | null)[]) => values.map((value) => (value === null ? null : value * scale));
  const colour = metric === "errors" ? "var(--status-danger)" : "var(--mantine-color-anchor)";
  const look = metric === "first_byte" || metric === "cache" ? "area" : "bars";
  const shown: readonly ChartSeries[] =
    series.length === 0
      ? [{ key: "whole", look, colour, values: scaled(whole) }]
      : series.map((one) => ({ key: one.key, look: "bars", colour: one.colour, values: scaled(one.values) }));
  if (before === null) return shown;
  const values = edges.slice(1).map((_, index) => before[index] ?? null);
  return [...shown, { key: "before", look: "dashes", colour: "var(--mantine-color-dimmed)", values: scaled(values) }];
}
