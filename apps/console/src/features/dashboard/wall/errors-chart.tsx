import type { Dashboard } from "@one-api/contract/usage/dashboard";
import type { LogHistogram } from "@one-api/contract/logs/log-totals";
import { type ReactNode, useMemo } from "react";
import type { ChartCursor } from "../../../components/charts/chart-cursor.ts";
import { formatInteger } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { REST_COLOUR } from "../../../lib/values/colour-of-name.ts";
import { RESULT_COLOURS } from "../../../lib/values/result-looks.ts";
import type { Scope } from "../breakdown/dashboard-scope.ts";
import { useMetricAxis } from "../metric-axis.ts";
import { WallChart, type WallSeries } from "./wall-chart.tsx";
import { useErrorCounts } from "./wall-queries.ts";

/** Results that are errors by no fault of the client. The provider's rejections are errors in part, so they count as others. */
const KINDS = ["provider-failed", "provider-limited", "timeout", "connection", "cut", "gateway-failed"] as const;

type Kind = (typeof KINDS)[number];

const isKind = (result: string): result is Kind => KINDS.some((kind) => kind === result);

/** Kinds of errors shown by name; the others are added up. */
const SHOWN_KINDS = 3;

interface ErrorsChartProps {
  dashboard: Dashboard;
  scope: Scope;
  username: string | undefined;
  cursor: ChartCursor;
  onZoom(from: number, to: number): void;
  hidesTotal?: boolean;
  children?: ReactNode;
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** Errors of each interval by kind, the most frequent kinds first. */
function countsByKind(counts: LogHistogram, intervals: number): readonly (readonly [Kind, readonly number[]])[] {
  const kinds = new Map<Kind, number[]>();
  for (const { interval, result, entries } of counts) {
    if (!isKind(result)) continue;
    const values = kinds.get(result) ?? Array.from({ length: intervals }, () => 0);
    values[interval] = (values[interval] ?? 0) + entries;
    kinds.set(result, values);
  }
  return [...kinds].toSorted(([, left], [, right]) => sumOf(right) - sumOf(left));
}

export function ErrorsChart({ dashboard, scope, username, cursor, onZoom, ...rest }: ErrorsChartProps) {
  const { t, language } = useTranslation("dashboard");
  const { edges, parts, total } = dashboard;
  const source = useErrorCounts(scope, username, edges);
  const { data: counts } = source;
  const axis = useMetricAxis("requests");
  const series = useMemo((): WallSeries[] => {
    // Errors whose kinds are not known are not other errors.
    if (counts === undefined) return [];
    const shown = countsByKind(counts, parts.length)
      .slice(0, SHOWN_KINDS)
      .map(([kind, values]): WallSeries => ({
        key: kind,
        name: t(`wall.kinds.${kind}`),
        look: "bars",
        colour: RESULT_COLOURS[kind],
        values,
      }));
    const others = parts.map(({ errors }, index) =>
      Math.max(0, errors - sumOf(shown.map(({ values }) => values[index] ?? 0))),
    );
    if (sumOf(others) === 0) return shown;
    return [...shown, { key: "rest", name: t("wall.otherErrors"), look: "bars", colour: REST_COLOUR, values: others }];
  }, [counts, parts, t]);
  const valueText = (interval?: number) =>
    formatInteger((interval === undefined ? total : (parts[interval] ?? total)).errors, language);
  const alert = { metric: "errors", scope } as const;
  return (
    <WallChart
      title={t("wall.errors")}
      {...{ edges, series, axis, cursor, valueText, onZoom, alert, source }}
      {...rest}
    />
  );
}
