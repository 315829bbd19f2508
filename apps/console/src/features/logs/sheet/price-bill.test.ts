import { expect, test } from "vitest";
import { billOf } from "./price-bill.ts";

const charge = {
  model_ratio: 0.075,
  completion_ratio: 4,
  group_ratio: 0.8,
  cached_tokens: 1_887,
  rule: "usage" as const,
  formula: "",
};
const terms = [
  { kind: "input" as const, count: 2_831, factors: [] },
  { kind: "cached-input" as const, count: 1_887, factors: ["0.5"] },
  { kind: "output" as const, count: 25, factors: ["4"] },
];

test("a charge is a bill in dollars: tokens by the million, the effect of the group last", () => {
  const sum = (2_831 + 1_887 * 0.5 + 100) * 0.075;
  const parts = { terms, quota: Math.ceil(sum * 0.8), source: "list" as const };
  const bill = billOf({ ...charge, formula_parts: parts }, 500_000);
  expect(bill?.lines.map(({ price }) => price)).toEqual([
    { dollars: 0.15, per: "million" },
    { dollars: 0.075, per: "million" },
    { dollars: 0.6, per: "million" },
  ]);
  expect(bill?.lines[0]?.dollars).toBeCloseTo(0.000_424_65, 10);
  const total = (bill?.lines ?? []).reduce((all, { dollars }) => all + dollars, bill?.groupDollars ?? 0);
  expect(Math.ceil(total * 500_000)).toBe(parts.quota);
});

test("pieces have a price each, a provider's own cost has none", () => {
  const pieces = [
    { kind: "second" as const, count: 90, factors: ["200/60"] },
    { kind: "provider-cost" as const, count: 40, factors: [] },
  ];
  const parts = { terms: pieces, quota: 340, source: "option" as const };
  const bill = billOf({ ...charge, model_ratio: 1, group_ratio: 1, formula_parts: parts }, 500_000);
  expect(bill?.lines.map(({ price }) => price?.per)).toEqual(["piece", undefined]);
  expect(bill?.groupDollars).toBe(0);
});

test("parts that do not add up to the charge are no bill", () => {
  const parts = { terms, quota: 9_000, source: "list" as const };
  expect(billOf({ ...charge, formula_parts: parts }, 500_000)).toBeUndefined();
});
