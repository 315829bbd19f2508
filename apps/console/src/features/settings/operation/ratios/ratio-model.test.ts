import type { ListedPrice } from "@one-api/contract/prices/pricing";
import { expect, test } from "vitest";
import {
  changesBetween,
  dollarsOf,
  filterRows,
  inForce,
  modelRows,
  ratioOf,
  savedTexts,
  withRatio,
} from "./ratio-model.ts";

const map = (entries: Record<string, number>) => new Map(Object.entries(entries));
const listed: readonly ListedPrice[] = [
  { model: "gpt-4o", type: 1, served: true, model_ratio: 1.25, completion_ratio: 4 },
  { model: "o3", type: 1, served: false, model_ratio: 1, completion_ratio: 4 },
];

test("[OPER-50] an empty object is shown as an empty text", () => {
  const values = { ModelRatio: "{}", CompletionRatio: " { } ", GroupRatio: '{"vip":1}' };
  const texts = { ModelRatio: "", CompletionRatio: "", GroupRatio: '{"vip":1}', ModelPrices: "" };
  expect(savedTexts({ values, secrets: [], defaults: {} })).toEqual(texts);
});

test("changes name what is added, removed and changed, and nothing else", () => {
  expect(changesBetween(map({ a: 1, b: 2, c: 3 }), map({ b: 2, c: 4, d: 0 }))).toEqual([
    { name: "a", before: 1, after: undefined },
    { name: "c", before: 3, after: 4 },
    { name: "d", before: undefined, after: 0 },
  ]);
});

test("a table has own models, those of one kind of channel, and the list's", () => {
  const rows = modelRows(map({ "gpt-4o(3)": 2, own: 7 }), map({ o3: 4 }), listed);
  expect(rows.map(({ model }) => model)).toEqual(["gpt-4o", "gpt-4o(3)", "o3", "own"]);
  expect(rows[1]).toMatchObject({ modelRatio: 2, listedModelRatio: 1.25 });
  const names = (shown: Parameters<typeof filterRows>[1], keyword = "") =>
    filterRows(rows, shown, keyword).map(({ model }) => model);
  expect(names("own")).toEqual(["gpt-4o(3)", "o3", "own"]);
  expect(names("different")).toEqual(["gpt-4o(3)", "own"]);
  expect(names("all", " O3 ")).toEqual(["o3"]);
});

test("dollars and ratios are two ways to say the same", () => {
  expect(dollarsOf(1.25, 500_000)).toBe(2.5);
  expect(dollarsOf(1.25, 1_000_000)).toBe(1.25);
  for (const dollars of [0, 0.15, 2.5, 60, 1 / 3]) expect(dollarsOf(ratioOf(dollars, 500_000), 500_000)).toBeCloseTo(dollars, 10); // prettier-ignore
});

test("a price may be of pictures, characters or minutes", () => {
  const rows = [
    ["image", 20, 0.04],
    ["character", 7.5, 15],
    ["second", 15, 0.006],
    ["token", 1.25, 2.5],
  ] as const;
  for (const [unit, ratio, dollars] of rows) {
    expect([dollarsOf(ratio, 500_000, unit), ratioOf(dollars, 500_000, unit)]).toEqual([dollars, ratio]);
  }
});

test("an own ratio goes before the list's, and a model that nobody knows costs what unknown ones do", () => {
  const [row, unknown] = modelRows(map({ x: 3 }), map({ "gpt-4o": 2 }), listed);
  expect(row && inForce(row, 30)).toEqual({ input: 1.25, output: 2.5 });
  expect(unknown && inForce({ ...unknown, listedModelRatio: undefined, listedCompletionRatio: undefined }, 30)).toEqual({ input: 30, output: 30 }); // prettier-ignore
  expect(withRatio(map({ a: 1 }), "a", undefined).size).toBe(0);
});
