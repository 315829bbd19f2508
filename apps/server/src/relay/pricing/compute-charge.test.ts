import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NO_USAGE } from "@one-api/providers/usage";
import { computeCharge, describeCharge, affordableCompletion, boundCharge } from "./compute-charge.ts";
import type { Price } from "./price-model.ts";

const price: Price = {
  modelRatio: 0.075,
  completionRatio: 4,
  groupRatio: 1,
  cachedRatio: 0.5,
  cacheWriteRatio: 1,
  audioRatio: 1,
  audioCompletionRatio: 4,
  imageRatio: 1,
  source: "list",
};

describe("computeCharge", () => {
  it("rounds up once, after everything [CONST-25]", () => {
    assert.equal(computeCharge({ ...NO_USAGE, promptTokens: 12, completionTokens: 30 }, price), 10); // 132 x 0.075 = 9.9
    assert.equal(computeCharge({ ...NO_USAGE, promptTokens: 40 }, price), 3); // exactly 3, never 4
    assert.equal(computeCharge({ ...NO_USAGE, promptTokens: 1 }, price), 1);
    assert.equal(computeCharge(NO_USAGE, price), 0);
  });

  it("is exact where binary fractions are not", () => {
    const tenth: Price = { ...price, modelRatio: 0.1, completionRatio: 1.1, groupRatio: 1 };
    assert.equal(computeCharge({ ...NO_USAGE, completionTokens: 100 }, tenth), 11); // 100 x 1.1 x 0.1 is 11.000000000000002 in floats
  });

  it("takes cached tokens at their own ratio, inside the prompt [CONST-26]", () => {
    const usage = { ...NO_USAGE, promptTokens: 1_000, cachedTokens: 800 };
    assert.equal(computeCharge(usage, { ...price, modelRatio: 1 }), 600);
    assert.match(describeCharge(usage, price, 45), /200 \+ 800 cached × 0\.5/);
  });

  it("refuses a charge that no account can hold", () => {
    const dear = { ...price, modelRatio: 1_000_000, groupRatio: 1_000_000 };
    assert.throws(() => computeCharge({ ...NO_USAGE, promptTokens: 1_000_000 }, dear), RangeError);
  });
});

describe("reservation bounds", () => {
  it("cover every way in which the prompt's tokens can be billed", () => {
    const bound = boundCharge({ promptTokens: 100, completionTokens: 50 }, [{ ...price, cacheWriteRatio: 1.25 }]);
    const dearest = computeCharge(
      { ...NO_USAGE, promptTokens: 100, cacheWriteTokens: 100, completionTokens: 50 },
      { ...price, cacheWriteRatio: 1.25 },
    );
    assert.ok(bound >= dearest);
  });

  it("give as many completion tokens as the quota pays for, and no more", () => {
    const tokens = affordableCompletion(100, 1_000, [price]);
    assert.ok(boundCharge({ promptTokens: 100, completionTokens: tokens }, [price]) <= 1_000);
    assert.ok(boundCharge({ promptTokens: 100, completionTokens: tokens + 10 }, [price]) > 1_000);
    assert.equal(affordableCompletion(100, 3, [price]), 0);
  });
});
