import type { Dashboard, DashboardRow } from "@one-api/contract/usage/dashboard";
import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, useMemo, useRef } from "react";
import type { ChartCursor } from "../../../components/charts/chart-cursor.ts";
import { ChartFrame } from "../../../components/charts/chart-frame.tsx";
import { IntervalList } from "../../../components/charts/interval-list.tsx";
import { partText } from "../../../components/charts/part-text.ts";
import { useBarWalk } from "../../../components/charts/use-bar-walk.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { LogFilter, Opening } from "../breakdown/dashboard-scope.ts";
import { useMarks } from "../dashboard-queries.ts";
import type { DashboardKey, DashboardMetric } from "../dashboard-search.ts";
import { useMetricAxis } from "../metric-axis.ts";
import { useMetricText } from "../usage-metrics.ts";
import { ChartMarks, MarkLegend } from "./chart-marks.tsx";
import { UsageLegend } from "./usage-legend.tsx";
import { chartSeriesOf, lineSeries, type UsageOverTime, usageOverTime } from "./usage-series.ts";
import classes from "./usage-chart.module.css";

const NO_LINES: readonly number[] = [];

interface UsageChartProps {
  dashboard: Dashboard;
  metric: DashboardMetric;
  by: DashboardKey;
  logFilter: LogFilter;
  isAdded: boolean;
  isCompared: boolean;
  /** Thresholds of alerts, in the unit of the metric. */
  lines?: readonly number[];
  cursor: ChartCursor;
  /** The legend is one line of names and totals where it stands below the chart. */
  hasShortLegend?: boolean;
  onZoom(from: number, to: number): void;
  openingOf(row: DashboardRow): Opening | undefined;
  onOpen(opening: Opening): void;
}

interface BarLinkProps extends Pick<UsageChartProps, "metric" | "logFilter" | "cursor"> {
  usage: UsageOverTime;
  index: number;
  isAdded: boolean;
  tabIndex: number;
  onKeyDown(event: KeyboardEvent): void;
}

function BarLink({ usage, index, metric, logFilter, isAdded, cursor, tabIndex, onKeyDown }: BarLinkProps) {
  const { t } = useTranslation("dashboard");
  const text = useMetricText();
  const isFirstTap = useRef(false);
  const [from = 0, to = 0] = [usage.edges[isAdded ? 0 : index], usage.edges[index + 1]];
  return (
    <Link
      to="/log"
      search={{ ...logFilter, start_timestamp: from, end_timestamp: to - 1 }}
      className={classes.bar}
      tabIndex={tabIndex}
      draggable={false}
      aria-label={t("chart.bar", { time: partText(from, to), value: text(metric, usage.whole[index] ?? null) })}
      onKeyDown={onKeyDown}
      onPointerDown={({ pointerType }) => {
        isFirstTap.current = pointerType === "touch" && cursor.get() !== index;
      }}
      onClick={(event) => {
        if (isFirstTap.current) event.preventDefault();
      }}
      onFocus={() => cursor.set(index)}
      onBlur={() => cursor.set(undefined)}
    />
  );
}

function Caption({ usage, metric, isAdded, cursor }: Pick<BarLinkProps, "usage" | "metric" | "isAdded" | "cursor">) {
  const text = useMetricText();
  const index = cursor.use();
  const { edges, whole } = usage;
  const first = edges[0] ?? 0;
  if (index === undefined || index >= whole.length)
    return <figcaption className={classes.caption}>{partText(first, edges.at(-1) ?? 0)}</figcaption>;
  const [from = 0, to = 0] = [isAdded ? first : edges[index], edges[index + 1]];
  return (
    <figcaption className={classes.caption}>
      <span>{partText(from, to)}</span>
      <strong className="numbers">{text(metric, whole[index] ?? null)}</strong>
    </figcaption>
  );
}

type ModelProps = Pick<UsageChartProps, "dashboard" | "metric" | "isAdded" | "isCompared" | "lines">;

/** Values and picture of the chart. Both stay the same between renders. */
function useChartModel({ dashboard, metric, isAdded, isCompared, lines = NO_LINES }: ModelProps) {
  const { scale, tickText } = useMetricAxis(metric);
  const usage = useMemo(() => {
    const all = usageOverTime(dashboard, metric, isAdded);
    const hasBefore = all.before?.some((value) => value !== null && value !== 0) === true;
    return isCompared && hasBefore ? all : { ...all, before: null };
  }, [dashboard, metric, isAdded, isCompared]);
  const chart = useMemo(() => {
    const { edges } = usage;
    const thresholds = lines.map((line) => lineSeries(line * scale, edges));
    return { edges, series: [...chartSeriesOf(usage, metric, scale), ...thresholds], tickText };
  }, [usage, metric, scale, tickText, lines]);
  return { usage, chart };
}

/** A metric over time, by row where it is split, with the period before. Each interval leads to its log entries. */
export function UsageChart(props: UsageChartProps) {
  const { dashboard, by, isCompared, lines, hasShortLegend = false, onZoom, openingOf, onOpen, ...shown } = props;
  const { t } = useTranslation("dashboard");
  const { metric, isAdded, cursor } = shown;
  const { usage, chart } = useChartModel({ dashboard, metric, isAdded, isCompared, ...(lines && { lines }) });
  const { data: marks } = useMarks(usage.edges);
  const { list, tabIndexOf, walkFrom } = useBarWalk(usage.whole.length);
  return (
    <figure className={classes.chart} aria-label={t("chart.title", { metric: t(`metrics.${metric}`) })}>
      <Caption usage={usage} {...shown} />
      <div className={classes.columns} data-split={usage.series.length > 0} data-short-legend={hasShortLegend}>
        <ChartFrame chart={chart} cursor={cursor} size="large" onZoom={onZoom}>
          <IntervalList ref={list}>
            {usage.whole.map((_, index) => (
              <li key={usage.edges[index]}>
                <BarLink
                  usage={usage}
                  index={index}
                  tabIndex={tabIndexOf(index)}
                  onKeyDown={walkFrom(index)}
                  {...shown}
                />
              </li>
            ))}
          </IntervalList>
          {marks !== undefined && <ChartMarks edges={usage.edges} marks={marks} />}
        </ChartFrame>
        <UsageLegend usage={usage} by={by} metric={metric} cursor={cursor} openingOf={openingOf} onOpen={onOpen} />
      </div>
      {marks !== undefined && <MarkLegend edges={usage.edges} marks={marks} />}
    </figure>
  );
}
