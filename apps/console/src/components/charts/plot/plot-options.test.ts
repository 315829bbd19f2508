import { expect, test } from "vitest";
import type { ChartModel } from "../chart-model.ts";
import { plotOptions } from "./plot-options.ts";

const theme = { text: "", line: "", ground: "", font: "", colour: (colour: string) => colour };
const at = (day: number) => new Date(2026, 10, day).getTime() / 1_000;
const edges = Array.from({ length: 31 }, (_, day) => at(1 + day));

function optionsOf(values: readonly (number | null)[], width: number) {
  const chart: ChartModel = { edges, series: [{ key: "a", look: "area", colour: "#000", values }], tickText: String };
  return plotOptions({ chart, theme, size: "small", width, height: 120, language: "en" });
}

/** What a function of the library's options returns: none of them looks at the chart. */
const returned = (option: unknown): unknown => (typeof option === "function" ? option() : option);

test("values between gaps are points, as no line would show them", () => {
  const { points } = optionsOf([1, null, 2, 3, null, 4], 900).series[1] ?? {};
  expect(returned(points?.filter)).toEqual([0, 5]);
});

test("a label that the edge would cut is left out", () => {
  expect(returned(optionsOf([1], 2_600).axes?.[0]?.values)).toHaveLength(30);
  const narrow = returned(optionsOf([1], 500).axes?.[0]?.values);
  expect(narrow).toEqual(["Nov 1", "Nov 6", "Nov 11", "Nov 16", "Nov 21", "Nov 26"]);
});
