import type { Dashboard, Usage } from "@one-api/contract/usage/dashboard";
import { type ReactNode, useMemo } from "react";
import type { ChartCursor } from "../../../components/charts/chart-cursor.ts";
import { NAME_COLOURS } from "../../../lib/values/colour-of-name.ts";
import { formatNumber, formatSeconds } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { Scope } from "../breakdown/dashboard-scope.ts";
import type { DashboardSearch } from "../dashboard-search.ts";
import { useMetricAxis } from "../metric-axis.ts";
import { metricOf, useMetricText } from "../usage-metrics.ts";
import { ErrorsChart } from "./errors-chart.tsx";
import { HoursCard } from "./hours-card.tsx";
import { WallChart, type WallSeries, type WallSource } from "./wall-chart.tsx";
import { useIntervalTimes } from "./wall-queries.ts";
import classes from "./usage-wall.module.css";

interface UsageWallProps {
  dashboard: Dashboard;
  search: DashboardSearch;
  username: string | undefined;
  isAdmin: boolean;
  cursor: ChartCursor;
  onZoom(from: number, to: number): void;
  change(changes: DashboardSearch): void;
  /** Over the plot of each chart. */
  marks: ReactNode;
  children: ReactNode;
}

type ChartProps = Pick<UsageWallProps, "dashboard" | "cursor" | "onZoom"> & {
  scope: Scope;
  hidesTotal?: boolean;
  children?: ReactNode;
};

const ACCENT = "var(--mantine-color-anchor)";
const [, ORANGE, GREEN] = NAME_COLOURS;

const UNNAMED = { key: "whole", name: "", colour: ACCENT } as const;

export function RequestsChart({ dashboard, scope, ...shared }: ChartProps) {
  const { t } = useTranslation("dashboard");
  const text = useMetricText();
  const { edges, parts, total } = dashboard;
  const axis = useMetricAxis("requests");
  const series = useMemo(
    (): WallSeries[] => [{ ...UNNAMED, look: "bars", values: parts.map(({ requests }) => requests) }],
    [parts],
  );
  const valueText = (interval?: number) =>
    text("requests", metricOf("requests", interval === undefined ? total : (parts[interval] ?? total)));
  return (
    <WallChart
      title={t("metrics.requests")}
      {...{ edges, series, axis, valueText }}
      alert={{ metric: "requests", scope }}
      {...shared}
    />
  );
}

function SpendChart({ dashboard, isAdmin, scope, ...shared }: ChartProps & { isAdmin: boolean }) {
  const { t } = useTranslation("dashboard");
  const text = useMetricText();
  const { edges, parts, total } = dashboard;
  const axis = useMetricAxis("spend");
  const [spend, margin] = [t("metrics.spend"), t("metrics.margin")];
  const series = useMemo((): WallSeries[] => {
    const ofSpend: WallSeries = {
      ...UNNAMED,
      name: isAdmin ? spend : "",
      look: "area",
      values: parts.map(({ quota }) => quota),
    };
    const values = parts.map((part) => metricOf("margin", part));
    return isAdmin ? [ofSpend, { key: "margin", name: margin, look: "line", colour: GREEN, values }] : [ofSpend];
  }, [parts, isAdmin, spend, margin]);
  const valueText = (interval?: number) => {
    const usage = interval === undefined ? total : (parts[interval] ?? total);
    const texts = [text("spend", usage.quota), ...(isAdmin ? [text("margin", metricOf("margin", usage))] : [])];
    return texts.join(" · ");
  };
  const title = isAdmin ? t("wall.spendAndMargin") : spend;
  return (
    <WallChart title={title} {...{ edges, series, axis, valueText }} alert={{ metric: "spend", scope }} {...shared} />
  );
}

function CacheChart({ dashboard, scope, ...shared }: ChartProps) {
  const { t } = useTranslation("dashboard");
  const text = useMetricText();
  const { edges, parts, total } = dashboard;
  const axis = useMetricAxis("cache");
  const series = useMemo(
    (): WallSeries[] => [
      { ...UNNAMED, look: "area", colour: GREEN, values: parts.map((part) => metricOf("cache", part)) },
    ],
    [parts],
  );
  const valueText = (interval?: number) =>
    text("cache", metricOf("cache", interval === undefined ? total : (parts[interval] ?? total)));
  return (
    <WallChart
      title={t("metrics.cache")}
      {...{ edges, series, axis, valueText }}
      alert={{ metric: "cache", scope }}
      {...shared}
    />
  );
}

interface TimesProps extends ChartProps {
  source: WallSource & { readonly data: readonly Usage[] | undefined };
}

export function FirstTokenChart({ dashboard: { edges, total }, source, scope, ...shared }: TimesProps) {
  const { data: times = NO_TIMES } = source;
  const { t } = useTranslation("dashboard");
  const axis = useMetricAxis("first_byte");
  const series = useMemo((): WallSeries[] => {
    const intervals = edges.slice(1).map((_, index) => times[index]);
    const p95 = intervals.map((part) => part?.first_byte_p95_ms ?? null);
    const p50 = intervals.map((part) => part?.first_byte_p50_ms ?? null);
    return [
      { key: "p50", name: "p50", look: "line", colour: ACCENT, values: p50 },
      { key: "p95", name: "p95", look: "line", colour: ORANGE, values: p95 },
    ];
  }, [edges, times]);
  const time = (ms: number | null) => (ms === null ? "–" : formatSeconds(ms));
  const valueText = (interval?: number) => {
    const usage = interval === undefined ? total : times[interval];
    return `${time(usage?.first_byte_p50_ms ?? null)} · ${time(usage?.first_byte_p95_ms ?? null)}`;
  };
  return (
    <WallChart
      title={t("metrics.first_byte")}
      {...{ edges, series, axis, valueText }}
      alert={{ metric: "first_byte_p95", scope }}
      source={source}
      {...shared}
    />
  );
}

function SpeedChart({ dashboard: { edges, total }, source, scope, ...shared }: TimesProps) {
  const { data: times = NO_TIMES } = source;
  const { t, language } = useTranslation("dashboard");
  const axis = useMetricAxis("speed");
  const series = useMemo((): WallSeries[] => {
    const values = edges.slice(1).map((_, index) => times[index]?.tokens_per_second ?? null);
    return [{ ...UNNAMED, look: "line", values }];
  }, [edges, times]);
  const valueText = (interval?: number) => {
    const speed = (interval === undefined ? total : times[interval])?.tokens_per_second ?? null;
    return speed === null ? "–" : formatNumber(speed, language, 1);
  };
  return (
    <WallChart
      title={t("breakdown.speed")}
      {...{ edges, series, axis, valueText }}
      alert={{ metric: "speed", scope }}
      source={source}
      {...shared}
    />
  );
}

const NO_TIMES: readonly Usage[] = [];

/** Small charts of everything that explains the large one. They share its time, its filter and its cursor. */
export default function UsageWall({ dashboard, search, username, isAdmin, marks, children, ...rest }: UsageWallProps) {
  const { cursor, onZoom, change } = rest;
  const { t } = useTranslation("dashboard");
  const source = useIntervalTimes(search, dashboard.edges);
  const shared = { dashboard, cursor, onZoom, scope: search, children: marks };
  return (
    <>
      <section className={classes.wall} aria-label={t("wall.title")}>
        <RequestsChart {...shared} />
        <ErrorsChart {...shared} username={username} />
        <SpendChart {...shared} isAdmin={isAdmin} />
        <FirstTokenChart {...shared} source={source} />
        <SpeedChart {...shared} source={source} />
        <CacheChart {...shared} />
      </section>
      <HoursCard search={search} edges={dashboard.edges} change={change} />
      {children}
    </>
  );
}
