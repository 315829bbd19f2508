/** `bars` of one chart are stacked in their order, the first at the foot. */
type SeriesLook = "bars" | "line" | "area" | "dashes";

/** A CSS colour, or a variable of one: `var(--name)`. */
export type ChartColour = string;

export interface ChartSeries {
  readonly key: string;
  readonly look: SeriesLook;
  readonly colour: ChartColour;
  /** One for each interval, in the unit of the axis; null if unknown. */
  readonly values: readonly (number | null)[];
}

/** Content of a chart. Memoize it: another object is drawn again. */
export interface ChartModel {
  /** Unix seconds: the start of each interval, and the end of the last one. */
  readonly edges: readonly number[];
  readonly series: readonly ChartSeries[];
  /** Ends of the value axis; undefined to fit the values. */
  readonly range?: readonly [least: number, most: number];
  /** Returns the label of a value on the axis; empty for values that get none. */
  tickText(value: number): string;
}
