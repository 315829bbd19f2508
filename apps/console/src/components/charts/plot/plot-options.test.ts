import { expect, test } from "vitest";
import type { ChartModel } from "../chart-model.ts";
import { plotOptions } from "./plot-options.ts";

const theme = { text: "", line: "", ground: "", font: "", colour: (colour: string) => colour };
const at = (day: number) => new Date(2026, 10, day).getTime() / 1_000;
const edges = Array.from({ length: 30 }, (_, day) => at(1 + day));

function optionsOf(values: readonly (number | null)[], width: number) {
  const chart: ChartModel = { edges, series: [{ key: "a", look: "area", colour: "#000", values }], tickText: String };
  return plotOptions({ chart, theme, size: "small", width, height: 120, language: "en" });
}

/** What a function of the library's options returns: none of them looks at the chart. */
function returned(option: unknown): unknown {
  if (typeof option !== "function") return option;
  const result: unknown = Reflect.apply(option, undefined, []);
  return result;
}

test("values between gaps are points on the line, which goes over the gaps", () => {
  const { points, spanGaps } = optionsOf([1, null, 2, 3, null, 4], 900).series[1] ?? {};
  expect(returned(points?.filter)).toEqual([0, 5]);
  expect(spanGaps).toBe(true);
});

test("a label that the edge would cut is left out", () => {
  expect(returned(optionsOf([1], 2_600).axes?.[0]?.values)).toHaveLength(29);
  // Every fourth day, the last of which is the 29th.
  expect(returned(optionsOf([1], 570).axes?.[0]?.values)).toEqual([1, 5, 9, 13, 17, 21, 25].map((day) => `Nov ${day}`));
});
