import assert from "node:assert/strict";
import { test } from "node:test";
import { readDollars } from "./provider-dollars.ts";

test("the cost that a provider reports is read in dollars, by every name and form", () => {
  const reports = [
    [{ cost: 0.0401 }, 0.0401],
    [{ cost: "0.0045" }, 0.0045],
    [{ cost: 0.001, is_byok: true, cost_details: { upstream_inference_cost: 0.02 } }, 0.021],
    [{ cost: 0.001, is_byok: false, cost_details: { upstream_inference_cost: 0.02 } }, 0.001],
    [{ cost: { input_tokens_cost: 0.001, output_tokens_cost: 0.002, request_cost: 0.012, total_cost: 0.015 } }, 0.015],
    [{ cost: { input_tokens_cost: 0.25, request_cost: 0.5 } }, 0.75],
    [{ cost: { currency: "USD", total_cost: 0.5 } }, 0.5],
    [{ cost_in_usd_ticks: 37_756_000 }, 0.0037756],
    [{ estimated_cost: 0.25 }, 0.25],
    [{ total_cost: 0.25 }, 0.25],
    [{ cost: 0.1, cost_in_usd_ticks: 2_500_000_000 }, 0.25],
  ] as const;
  for (const [report, dollars] of reports) assert.equal(readDollars(report), dollars, JSON.stringify(report));
});

test("an invalid amount of dollars is none", () => {
  const reports = [
    {},
    { cost: null },
    { cost: -1 },
    { cost: "much" },
    { cost: Number.NaN },
    { cost: [1] },
    { cost: { currency: "EUR", total_cost: 1 } },
    { cost_in_usd_ticks: "∞" },
  ];
  for (const report of reports) assert.equal(readDollars(report), 0, JSON.stringify(report));
});
