import { type ComponentProps, type ReactNode, useMemo } from "react";
import type { ChartCursor } from "../../../components/charts/chart-cursor.ts";
import { ChartFrame } from "../../../components/charts/chart-frame.tsx";
import type { ChartSeries } from "../../../components/charts/chart-model.ts";
import { LoadProblem } from "../../../components/load-problem.tsx";
import { AlertButton } from "../alerts/alert-button.tsx";
import type { MetricAxis } from "../metric-axis.ts";
import classes from "./usage-wall.module.css";

export interface WallSeries extends ChartSeries {
  /** Empty for the only series of a chart. */
  readonly name: string;
}

export interface WallSource {
  readonly data: unknown;
  readonly error: Error | null;
  refetch(): unknown;
}

export interface WallChartProps {
  title: string;
  edges: readonly number[];
  series: readonly WallSeries[];
  axis: MetricAxis;
  cursor: ChartCursor;
  valueText(interval: number | undefined): string;
  onZoom(from: number, to: number): void;
  /** Only the value at the cursor: totals of almost the same time stand nearby. */
  hidesTotal?: boolean;
  /** Loads values that the dashboard itself has not. */
  source?: WallSource;
  /** Marks over the plot. */
  children?: ReactNode;
  /** Metric and filters of an alert on the chart. */
  alert: Pick<ComponentProps<typeof AlertButton>, "metric" | "scope">;
}

function problemOf({ data, error, refetch }: WallSource) {
  if (data !== undefined || error === null) return undefined;
  return <LoadProblem error={error} onRetry={() => void refetch()} />;
}

function ValueAtCursor({ cursor, valueText, hidesTotal }: Pick<WallChartProps, "cursor" | "valueText" | "hidesTotal">) {
  const interval = cursor.use();
  return (
    <strong className="numbers">{hidesTotal === true && interval === undefined ? "" : valueText(interval)}</strong>
  );
}

/** A small chart; its head shows the value at the cursor. `series` stays the same between renders. */
export function WallChart({
  title,
  edges,
  series,
  axis,
  cursor,
  valueText,
  onZoom,
  alert,
  hidesTotal,
  source,
  children,
}: WallChartProps) {
  const chart = useMemo(() => {
    const scaled = series.map((one) => ({
      ...one,
      values: one.values.map((value) => (value === null ? null : value * axis.scale)),
    }));
    return { edges, series: scaled, tickText: axis.tickText };
  }, [edges, series, axis]);
  return (
    <figure className={classes.chart} aria-label={`${title}: ${valueText(undefined)}`}>
      <figcaption className={classes.head}>
        <span className={classes.title}>{title}</span>
        <ValueAtCursor cursor={cursor} valueText={valueText} {...(hidesTotal && { hidesTotal })} />
        <AlertButton {...alert} of={title} />
        <span className={classes.names}>
          {series.map(({ key, name, colour }) =>
            name === "" ? null : (
              <span key={key} className={classes.name}>
                <span className={classes.swatch} style={{ background: colour }} aria-hidden="true" />
                <span className={classes.text} title={name}>
                  {name}
                </span>
              </span>
            ),
          )}
        </span>
      </figcaption>
      <ChartFrame {...{ chart, cursor, onZoom }} size="small" problem={source && problemOf(source)}>
        {children}
      </ChartFrame>
    </figure>
  );
}
