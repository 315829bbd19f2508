import uPlot from "uplot";
import type { ChartModel, ChartSeries } from "../chart-model.ts";
import type { PlotTheme } from "./plot-theme.ts";
import { loneValues } from "./lone-values.ts";
import { timeTicks } from "./time-ticks.ts";
import { type ValueScale, valueScale } from "./value-scale.ts";

/** Room around the plot in px, by size; chart-frame.module.css has the same. */
const INSETS = { large: { left: 56, right: 8, top: 8, bottom: 24 }, small: { left: 48, right: 8, top: 8, bottom: 24 } };
const LABEL_WIDTH = 64;
const GRID_HEIGHT = { large: 40, small: 28 };
/** Widths of characters of an axis, in px. */
const CHARACTER = { narrow: 6, wide: 11 } as const;

interface PlotView {
  readonly chart: ChartModel;
  readonly theme: PlotTheme;
  readonly size: "large" | "small";
  readonly width: number;
  readonly height: number;
  readonly language: string;
}

/** A series with the values that it is drawn up to: bars stand on those before them. */
interface DrawnSeries {
  readonly series: ChartSeries;
  readonly tops: (number | null)[];
}

/** In the order of drawing: the highest bars first, so that lower ones cover their feet, then lines. */
function drawnSeries(all: readonly ChartSeries[]): readonly DrawnSeries[] {
  const sums: number[] = [];
  const bars = all
    .filter(({ look }) => look === "bars")
    .map((series) => {
      const tops = series.values.map((value, index) => (sums[index] = (sums[index] ?? 0) + (value ?? 0)));
      return { series, tops };
    });
  const lines = all.filter(({ look }) => look !== "bars").map((series) => ({ series, tops: [...series.values] }));
  return [...bars.toReversed(), ...lines];
}

export function plotData({ edges, series }: ChartModel): uPlot.AlignedData {
  return [edges.slice(1).map((_, index) => index), ...drawnSeries(series).map(({ tops }) => tops)];
}

function seriesOptions({ series: { look, colour, values } }: DrawnSeries, theme: PlotTheme): uPlot.Series {
  const shown = theme.colour(colour);
  const paths = look === "bars" ? uPlot.paths.bars?.({ size: [0.82, 48] }) : uPlot.paths.linear?.();
  return {
    ...(paths !== undefined && { paths }),
    points: { show: false, size: 4, fill: shown, filter: () => (look === "bars" ? null : loneValues(values)) },
    // Bars have the ground's colour around them, which keeps the parts of a stack apart.
    stroke: look === "bars" ? theme.ground : shown,
    width: look === "bars" ? 0.5 : 1.5,
    ...(look === "bars" && { fill: shown }),
    ...(look === "area" && { fill: `color-mix(in srgb, ${shown} 14%, transparent)` }),
    ...(look === "dashes" && { dash: [4, 3], width: 1.25 }),
    spanGaps: true,
  };
}

/** The scale of the chart's own range, or of its values. */
function scaleOf({ chart, size, height }: PlotView): ValueScale {
  const { top, bottom } = INSETS[size];
  const values = drawnSeries(chart.series).flatMap(({ tops }) => tops.filter((value) => value !== null));
  const mostTicks = Math.floor((height - top - bottom) / GRID_HEIGHT[size]);
  const scale = valueScale(chart.range ?? values, mostTicks, (step) => chart.tickText(step) !== "");
  return chart.range === undefined ? scale : { ...scale, range: [...chart.range] };
}

function textWidth(text: string): number {
  let width = 0;
  for (const letter of text) width += letter > "\u2e7f" ? CHARACTER.wide : CHARACTER.narrow;
  return width;
}

/** Labels of the time axis, without those that the edge of the picture would cut. */
function ticksOf({ chart: { edges }, size, width, language }: PlotView) {
  const { left, right } = INSETS[size];
  const step = (width - left - right) / Math.max(1, edges.length - 1);
  return timeTicks(edges, Math.floor((width - left - right) / LABEL_WIDTH), language).filter(
    ({ at, text }) => left + (at + 0.5) * step + textWidth(text) / 2 <= width,
  );
}

function axisOptions(view: PlotView, values: ValueScale): uPlot.Axis[] {
  const { chart, theme, size } = view;
  const { left, bottom } = INSETS[size];
  const ticks = ticksOf(view);
  const look = { stroke: theme.text, font: theme.font, border: { show: true, stroke: theme.line, width: 1 } };
  return [
    {
      ...look,
      scale: "x",
      size: bottom,
      gap: 4,
      grid: { show: false },
      ticks: { stroke: theme.line, width: 1, size: 4 },
      splits: () => ticks.map(({ at }) => at),
      values: () => ticks.map(({ text }) => text),
    },
    {
      ...look,
      scale: "y",
      size: left,
      gap: 6,
      border: { show: false },
      grid: { stroke: theme.line, width: 1 },
      ticks: { show: false },
      splits: () => [...values.ticks],
      values: (_plot, splits) => splits.map((value) => chart.tickText(value)),
    },
  ];
}

/** Options of the library: the page draws cursor, selection and legend itself. */
export function plotOptions(view: PlotView): uPlot.Options {
  const { chart, theme, size, width, height } = view;
  const { top, right } = INSETS[size];
  const values = scaleOf(view);
  return {
    width,
    height,
    padding: [top, right, 0, 0],
    cursor: { show: false },
    legend: { show: false },
    select: { show: false, left: 0, top: 0, width: 0, height: 0 },
    scales: {
      x: { time: false, range: () => [-0.5, chart.edges.length - 1.5] },
      y: { range: values.range },
    },
    axes: axisOptions(view, values),
    series: [{}, ...drawnSeries(chart.series).map((one) => seriesOptions(one, theme))],
  };
}
