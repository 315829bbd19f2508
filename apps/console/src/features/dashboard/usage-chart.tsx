import type { Dashboard } from "@one-api/contract/dashboard";
import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, useRef, useState } from "react";
import { formatDate, formatTime } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import type { DashboardMetric } from "./dashboard-search.ts";
import { metricOf, useMetricText } from "./usage-metrics.ts";
import classes from "./usage-chart.module.css";

const HALF_DAY_SECONDS = 43_200;
const DAY_SECONDS = 93_600;

/** A part of the time in words: hours with their day, days by their date. */
function partText(from: number, to: number): string {
  const clock = (time: number) => formatTime(time).slice(11, 16);
  if (to - from <= HALF_DAY_SECONDS) return `${formatDate(from)} ${clock(from)}–${clock(to)}`;
  return to - from <= DAY_SECONDS ? formatDate(from) : `${formatDate(from)} – ${formatDate(to - 1)}`;
}

interface UsageChartProps {
  dashboard: Dashboard;
  metric: DashboardMetric;
  /** What the log is filtered by besides its time. */
  logFilter: Readonly<Record<string, string | number>>;
}

interface Bar {
  readonly text: string;
  readonly value: number | null;
  readonly from: number;
  readonly to: number;
}

function barsOf({ edges, parts }: Dashboard, metric: DashboardMetric): Bar[] {
  return parts.map((part, index) => {
    const [from = 0, to = 0] = [edges[index], edges[index + 1]];
    return { text: partText(from, to), value: metricOf(metric, part), from, to };
  });
}

const NEXT_BY_KEY = new Map<string, (at: number, count: number) => number>([
  ["ArrowLeft", (at) => at - 1],
  ["ArrowRight", (at) => at + 1],
  ["Home", () => 0],
  ["End", (_at, count) => count - 1],
]);

interface BarLinkProps extends Pick<UsageChartProps, "metric" | "logFilter"> {
  bar: Bar;
  /** Of the highest bar. */
  most: number;
  isTabStop: boolean;
  onShow(isShown: boolean): void;
  onKeyDown(event: KeyboardEvent): void;
}

function BarLink({
  bar: { text: time, value, from, to },
  most,
  metric,
  logFilter,
  isTabStop,
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
      tabIndex={isTabStop ? 0 : -1}
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
        style={{ height: most === 0 ? 0 : `${(100 * Math.abs(value ?? 0)) / most}%` }}
      />
    </Link>
  );
}

/** The parts of the time as bars, each of which leads to the rows of the log behind it; arrow keys go from one to the next. */
export function UsageChart({ dashboard, metric, logFilter }: UsageChartProps) {
  const { t } = useTranslation("dashboard");
  const text = useMetricText();
  const bars = barsOf(dashboard, metric);
  const [shown, setShown] = useState<number>();
  const [entry, setEntry] = useState(0);
  const list = useRef<HTMLOListElement>(null);
  const most = Math.max(...bars.map(({ value }) => Math.abs(value ?? 0)));
  const walk = (from: number) => (event: KeyboardEvent) => {
    const next = NEXT_BY_KEY.get(event.key)?.(from, bars.length);
    if (next === undefined || next < 0 || next >= bars.length) return;
    event.preventDefault();
    setEntry(next);
    list.current?.querySelectorAll("a")[next]?.focus();
  };
  const bar = bars[shown ?? -1];
  return (
    <figure className={classes.chart} aria-label={t("chart.title", { metric: t(`metrics.${metric}`) })}>
      <figcaption className={classes.caption}>
        <span>{bar === undefined ? t("chart.most", { value: text(metric, most) }) : bar.text}</span>
        {bar !== undefined && <strong className="numbers">{text(metric, bar.value)}</strong>}
      </figcaption>
      <ol ref={list} className={classes.bars}>
        {bars.map((one, index) => (
          <li key={one.from}>
            <BarLink
              bar={one}
              most={most}
              metric={metric}
              logFilter={logFilter}
              isTabStop={index === Math.min(entry, bars.length - 1)}
              onShow={(isShown) => setShown(isShown ? index : undefined)}
              onKeyDown={walk(index)}
            />
          </li>
        ))}
      </ol>
      <div className={classes.axis} aria-hidden="true">
        <span>{bars[0]?.text}</span>
        <span>{bars.at(-1)?.text}</span>
      </div>
    </figure>
  );
}

/** The same as a table. */
export function UsageTable({ dashboard, metrics }: { dashboard: Dashboard; metrics: readonly DashboardMetric[] }) {
  const { t } = useTranslation("dashboard");
  const text = useMetricText();
  return (
    <div className={classes.frame}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t("chart.time")}</th>
            {metrics.map((metric) => (
              <th key={metric} scope="col" data-align="right">
                {t(`metrics.${metric}`)}
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
                {metrics.map((metric) => (
                  <td key={metric} data-align="right">
                    {text(metric, metricOf(metric, part))}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
