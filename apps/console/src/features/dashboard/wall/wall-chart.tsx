import { useMemo } from "react";
import type { ChartCursor } from "../../../components/charts/chart-cursor.ts";
import { ChartFrame } from "../../../components/charts/chart-frame.tsx";
import type { ChartSeries } from "../../../components/charts/chart-model.ts";
import type { MetricAxis } from "../metric-axis.ts";
import classes from "./usage-wall.module.css";

export interface WallSeries extends ChartSeries {
  /** Empty for the only series of a chart. */
  readonly name: string;
}

export interface WallChartProps {
  title: string;
  edges: readonly number[];
  series: readonly WallSeries[];
  axis: MetricAxis;
  cursor: ChartCursor;
  valueText(interval: number | undefined): string;
  onZoom(from: number, to: number): void;
}

function ValueAtCursor({ cursor, valueText }: Pick<WallChartProps, "cursor" | "valueText">) {
  return <strong className="numbers">{valueText(cursor.use())}</strong>;
}

/** A small chart; its head shows the value at the cursor. `series` stays the same between renders. */
export function WallChart({ title, edges, series, axis, cursor, valueText, onZoom }: WallChartProps) {
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
        <ValueAtCursor cursor={cursor} valueText={valueText} />
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
      <ChartFrame chart={chart} cursor={cursor} size="small" onZoom={onZoom} />
    </figure>
  );
}
