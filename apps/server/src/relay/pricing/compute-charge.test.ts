import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NO_USAGE, type Usage } from "@one-api/providers/usage";
import fc from "fast-check";
import { ChargeTotal, computeCharge, toUsageCharge } from "./compute-charge.ts";
import type { Price } from "./price-model.ts";
import { SAMPLE_PRICE } from "./testing/sample-prices.ts";

/** The charge in exact integers, by its definition. */
function exactCharge(usage: Usage, of: Price): number {
  const exact = (ratio: number) => BigInt(Math.round(ratio * 1e12));
  const weighted = (tokens: number, ratio: number) => (tokens <= 0 ? 0n : BigInt(tokens) * exact(ratio));
  const sum =
    weighted(usage.promptTokens - usage.cachedTokens, 1) +
    weighted(usage.cachedTokens, of.cachedRatio) +
    weighted(usage.completionTokens - usage.reasoningTokens, of.completionRatio) +
    weighted(usage.reasoningTokens, of.reasoningRatio);
  const unit = 10n ** 36n;
  const charge = (sum * exact(of.modelRatio) * exact(of.groupRatio) + unit - 1n) / unit;
  return charge > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(charge);
}

describe("computeCharge", () => {
  it("rounds up once, after everything [CONST-25]", () => {
    assert.equal(computeCharge({ ...NO_USAGE, promptTokens: 12, completionTokens: 30 }, SAMPLE_PRICE), 10); // 132 x 0.075 = 9.9
    assert.equal(computeCharge({ ...NO_USAGE, promptTokens: 40 }, SAMPLE_PRICE), 3); // exactly 3, never 4
    assert.equal(computeCharge({ ...NO_USAGE, promptTokens: 1 }, SAMPLE_PRICE), 1);
    assert.equal(computeCharge(NO_USAGE, SAMPLE_PRICE), 0);
  });

  it("is exact where binary fractions are not", () => {
    const tenth: Price = { ...SAMPLE_PRICE, modelRatio: 0.1, completionRatio: 1.1, groupRatio: 1 };
    assert.equal(computeCharge({ ...NO_USAGE, completionTokens: 100 }, tenth), 11); // 100 x 1.1 x 0.1 is 11.000000000000002 in floats
  });

  it("charges cached tokens at their own ratio, as part of the prompt [CONST-26]", () => {
    const usage = { ...NO_USAGE, promptTokens: 1_000, cachedTokens: 800 };
    assert.equal(computeCharge(usage, { ...SAMPLE_PRICE, modelRatio: 1 }), 600);
    assert.deepEqual(toUsageCharge(usage, SAMPLE_PRICE, "usage").terms, [
      ["input", 200, 1],
      ["cached-input", 800, 0.5],
    ]);
  });

  it("never exceeds the largest balance, and never throws", () => {
    const dear = { ...SAMPLE_PRICE, modelRatio: 1_000_000, groupRatio: 1_000_000 };
    assert.equal(computeCharge({ ...NO_USAGE, promptTokens: 1_000_000 }, dear), Number.MAX_SAFE_INTEGER);
    const absurd = { ...NO_USAGE, promptTokens: 2 ** 60, completionTokens: 1.5, reasoningTokens: Number.NaN };
    assert.equal(computeCharge(absurd, { ...SAMPLE_PRICE, modelRatio: 1e300 }), Number.MAX_SAFE_INTEGER);
    assert.equal(computeCharge({ ...NO_USAGE, promptTokens: 10 }, { ...SAMPLE_PRICE, modelRatio: -1 }), 0);
  });

  it("equals exact integer arithmetic for any tokens and ratios", () => {
    const ratio = fc.oneof(
      fc.constantFrom(0, 1, 0.1, 0.075, 1.25, 2.5, 1 / 3, 0.071428571429, 4, 30, 1e-12, 37.5),
      fc.double({ min: 0, max: 100, noNaN: true }),
      fc.integer({ min: 0, max: 1_000_000 }),
    );
    const tokens = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 200_000 }), fc.integer({ min: 0, max: 2 ** 40 }));
    const cases = fc.record({
      promptTokens: tokens,
      cachedTokens: tokens,
      completionTokens: tokens,
      reasoningTokens: tokens,
    });
    const prices = fc.record({
      modelRatio: ratio,
      groupRatio: ratio,
      cachedRatio: ratio,
      completionRatio: ratio,
      reasoningRatio: ratio,
    });
    fc.assert(
      fc.property(cases, prices, (used, ratios) => {
        const usage = { ...NO_USAGE, ...used };
        assert.equal(
          computeCharge(usage, { ...SAMPLE_PRICE, ...ratios }),
          exactCharge(usage, { ...SAMPLE_PRICE, ...ratios }),
        );
      }),
      { numRuns: 100_000 },
    );
  });
});

describe("ChargeTotal", () => {
  const used = (promptTokens: number, completionTokens: number, priceFactor = 0.5): Usage => ({
    ...NO_USAGE,
    promptTokens,
    completionTokens,
    priceFactor,
  });

  it("rounds the sum of many answers up once, and describes it", () => {
    const total = new ChargeTotal(SAMPLE_PRICE);
    for (let line = 0; line < 1_000; line += 1) total.add(used(1, 1));
    assert.equal(total.charge, Math.ceil(1_000 * (1 + 4) * 0.5 * 0.075));
    assert.deepEqual(total.describe("usage").terms, [
      ["input", 1_000, 0.5],
      ["output", 1_000, 2],
    ]);
  });

  it("charges each long prompt at its own price", () => {
    const long = { ...SAMPLE_PRICE, modelRatio: 0.15, completionRatio: 3 };
    const stepped: Price = { ...SAMPLE_PRICE, steps: [{ above: 100, price: long }] };
    const lines = [used(80, 40), used(200, 1_000), used(100, 40)];
    const total = new ChargeTotal(stepped);
    for (const line of lines) total.add(line);
    assert.equal(total.charge, Math.ceil((180 + 80 * 4) * 0.5 * 0.075 + (200 + 1_000 * 3) * 0.5 * 0.15));
    const alone = new ChargeTotal(stepped);
    alone.add(used(200, 1_000));
    assert.equal(alone.charge, computeCharge(used(200, 1_000), stepped));
  });

  it("costs nothing without usage, also for free models", () => {
    const total = new ChargeTotal({ ...SAMPLE_PRICE, modelRatio: 0 });
    assert.equal(total.charge, 0);
    total.add(used(100, 100));
    assert.equal(total.charge, 0);
  });
});
