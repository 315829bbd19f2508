import type { Dashboard } from "@one-api/contract/usage/dashboard";
import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, useState } from "react";
import { ScrollBox } from "../../components/boxes/scroll-box.tsx";
import { partText } from "../../components/charts/part-text.ts";
import { useBarWalk } from "../../components/charts/use-bar-walk.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import type { DashboardMetric } from "./dashboard-search.ts";
import { metricOf, runningSums, useMetricText } from "./usage-metrics.ts";
import { useUsageColumns } from "./usage-columns.tsx";
import { type Series, SplitLegend, SplitTable } from "./usage-split.tsx";
import classes from "./usage-chart.module.css";

interface UsageChartProps {
  dashboard: Dashboard;
  metric: DashboardMetric;
  /** Parts of the bars; empty for whole bars. */
  series: readonly Series[];
  logFilter: Readonly<Record<string, string | number>>;
  /** Each bar counts all before it in. */
  isAdded: boolean;
}

const LOOKS = { frame: classes.frame, table: classes.table };

interface Bar {
  readonly text: string;
  readonly value: number | null;
  readonly from: number;
  readonly to: number;
}

function barsOf({ edges, parts }: Dashboard, metric: DashboardMetric, isAdded: boolean): Bar[] {
  const values = parts.map((part) => metricOf(metric, part));
  const sums = isAdded ? runningSums(values) : values;
  const first = edges[0] ?? 0;
  return sums.map((value, index) => {
    const [from = 0, to = 0] = [isAdded ? first : edges[index], edges[index + 1]];
    return { text: partText(from, to), value, from, to };
  });
}

interface BarLinkProps extends Pick<UsageChartProps, "metric" | "logFilter" | "series"> {
  bar: Bar;
  index: number;
  most: number;
  tabIndex: number;
  onShow(isShown: boolean): void;
  onKeyDown(event: KeyboardEvent): void;
}

function BarLink({
  bar: { text: time, value, from, to },
  index,
  most,
  metric,
  series,
  logFilter,
  tabIndex,
  onShow,
  onKeyDown,
}: BarLinkProps) {
  const { t } = useTranslation("dashboard");
  const text = useMetricText();
  return (
    <Link
      to="/log"
      search={{ ...logFilter, start_timestamp: from, end_timestamp: to - 1 }}
      className={classes.bar}
      tabIndex={tabIndex}
      aria-label={t("chart.bar", { time, value: text(metric, value) })}
      onKeyDown={onKeyDown}
      onMouseEnter={() => onShow(true)}
      onMouseLeave={() => onShow(false)}
      onFocus={() => onShow(true)}
      onBlur={() => onShow(false)}
    >
      <span
        className={classes.fill}
        data-below={(value ?? 0) < 0}
        data-tone={metric === "errors" ? "danger" : "accent"}
        data-split={series.length > 0}
        style={{ height: most === 0 ? 0 : `${(100 * Math.abs(value ?? 0)) / most}%` }}
      >
        {series.map(({ key, colour, values }) => (
          <span key={key} style={{ flexGrow: Math.max(0, values[index] ?? 0), background: colour }} />
        ))}
      </span>
    </Link>
  );
}

/** The parts of the time as bars, each of which leads to the rows of the log behind it; arrow keys go from one to the next. */
export function UsageChart({ dashboard, metric, series: parts, logFilter, isAdded }: UsageChartProps) {
  const { t } = useTranslation("dashboard");
  const text = useMetricText();
  const bars = barsOf(dashboard, metric, isAdded);
  const series = isAdded ? parts.map((one) => ({ ...one, values: runningSums(one.values) })) : parts;
  const [shown, setShown] = useState<number>();
  const most = Math.max(...bars.map(({ value }) => Math.abs(value ?? 0)));
  const { list, tabIndexOf, walkFrom } = useBarWalk(bars.length);
  const bar = bars[shown ?? -1];
  return (
    <figure className={classes.chart} aria-label={t("chart.title", { metric: t(`metrics.${metric}`) })}>
      <figcaption className={classes.caption}>
        <span>{bar === undefined ? t("chart.most", { value: text(metric, most) }) : bar.text}</span>
        {bar !== undefined && <strong className="numbers">{text(metric, bar.value)}</strong>}
      </figcaption>
      <ol ref={list} className={classes.bars}>
        {bars.map((one, index) => (
          <li key={one.to}>
            <BarLink
              bar={one}
              index={index}
              series={series}
              most={most}
              metric={metric}
              logFilter={logFilter}
              tabIndex={tabIndexOf(index)}
              onShow={(isShown) => setShown(isShown ? index : undefined)}
              onKeyDown={walkFrom(index)}
            />
          </li>
        ))}
      </ol>
      <div className={classes.axis} aria-hidden="true">
        {/* Where the first bar begins: with its end, too, a phone has no line for both. */}
        <span>{bars[0]?.text.split("–")[0]}</span>
        {bars.length > 1 && <span>{bars.at(-1)?.text}</span>}
      </div>
      {series.length > 0 && <SplitLegend series={series} metric={metric} part={shown} />}
    </figure>
  );
}

interface UsageTableProps extends Pick<UsageChartProps, "dashboard" | "metric" | "series"> {
  metrics: readonly DashboardMetric[];
}

/** The same as a table. Intervals have times only while these are what the chart shows. */
export function UsageTable({ dashboard, metric: shown, series, metrics }: UsageTableProps) {
  const { t } = useTranslation("dashboard");
  const columns = useUsageColumns(metrics).filter(({ isTime }) => !isTime || shown === "first_byte");
  if (series.length > 0) return <SplitTable dashboard={dashboard} series={series} metric={shown} looks={LOOKS} />;
  return (
    <ScrollBox label={t(`metrics.${shown}`)} className={classes.frame}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t("chart.time")}</th>
            {columns.map(({ id, header }) => (
              <th key={id} scope="col" data-align="right">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {dashboard.parts.map((part, index) => {
            const [from = 0, to = 0] = [dashboard.edges[index], dashboard.edges[index + 1]];
            return (
              <tr key={from}>
                <th scope="row">{partText(from, to)}</th>
                {columns.map(({ id, text, more }) => (
                  <td key={id} data-align="right">
                    {text(part)}
                    {more(part) !== "" && <small className={classes.more}> {more(part)}</small>}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollBox>
  );
}
