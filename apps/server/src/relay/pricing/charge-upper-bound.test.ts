import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NO_USAGE } from "@one-api/providers/usage";
import { affordableCompletion, chargeUpperBound } from "./charge-upper-bound.ts";
import { computeCharge } from "./compute-charge.ts";
import { type Price, priceModel } from "./price-model.ts";
import { NO_OPTIONS, SAMPLE_PRICE, TEXT_ONLY } from "./testing/sample-prices.ts";

describe("upper bounds of charges", () => {
  it("cover every kind in which the prompt's tokens can be billed", () => {
    const bound = chargeUpperBound({ ...TEXT_ONLY, promptTokens: 100, completionTokens: 50 }, [
      { ...SAMPLE_PRICE, cacheWriteRatio: 1.25 },
    ]);
    const dearest = computeCharge(
      { ...NO_USAGE, promptTokens: 100, cacheWriteTokens: 100, completionTokens: 50 },
      { ...SAMPLE_PRICE, cacheWriteRatio: 1.25 },
    );
    assert.equal(bound, dearest);
  });

  it("cover an hour in the cache, and the dearest requested speed", () => {
    const claude = priceModel(NO_OPTIONS, { model: "claude-opus-4-6", type: 14, group: "default" });
    const bound = { ...TEXT_ONLY, promptTokens: 100, completionTokens: 50, priceFactor: 6 };
    const dearest = { ...NO_USAGE, promptTokens: 100, longCacheWriteTokens: 100, completionTokens: 50, priceFactor: 6 };
    assert.equal(chargeUpperBound(bound, [claude]), computeCharge(dearest, claude));
    const tokens = affordableCompletion({ ...bound, completionTokens: 0 }, 50_000, [claude]);
    assert.ok(chargeUpperBound({ ...bound, completionTokens: tokens }, [claude]) <= 50_000);
  });

  it("bound searches by the context they fill, plus a fee for each", () => {
    const claude = priceModel(NO_OPTIONS, { model: "claude-opus-4-6", type: 14, group: "default" });
    const usage = { ...NO_USAGE, promptTokens: 100 };
    const { modelRatio } = claude;
    assert.equal(computeCharge({ ...usage, toolFees: 60 }, claude), Math.ceil(100 * modelRatio) + 15_000);
  });

  const speaking: Price = {
    ...SAMPLE_PRICE,
    audioRatio: 16,
    cachedAudioRatio: 16,
    imageRatio: 3,
    audioCompletionRatio: 32,
    reasoningRatio: 6,
  };
  const used = { promptTokens: 100, completionTokens: 50 };

  it("use the rates of audio and images only if the request can incur them", () => {
    const plain = chargeUpperBound({ ...TEXT_ONLY, ...used }, [speaking]);
    assert.equal(plain, computeCharge({ ...NO_USAGE, ...used, reasoningTokens: 50 }, speaking));
    const seeing = chargeUpperBound({ ...TEXT_ONLY, ...used, hasImages: true }, [speaking]);
    assert.equal(
      seeing,
      computeCharge({ ...NO_USAGE, ...used, imagePromptTokens: 100, reasoningTokens: 50 }, speaking),
    );
    const hearing = chargeUpperBound({ ...TEXT_ONLY, ...used, audioPromptTokens: 200, wantsAudio: true }, [speaking]);
    assert.equal(
      hearing,
      computeCharge(
        { ...NO_USAGE, promptTokens: 300, audioPromptTokens: 200, completionTokens: 50, audioCompletionTokens: 50 },
        speaking,
      ),
    );
  });

  it("cover the searches that a provider may make", () => {
    const searching = { promptTokens: 100, completionTokens: 50, toolFees: 60 };
    const dearest = { ...NO_USAGE, ...searching, reasoningTokens: 50 };
    assert.equal(
      chargeUpperBound({ ...TEXT_ONLY, ...searching }, [SAMPLE_PRICE]),
      computeCharge(dearest, SAMPLE_PRICE),
    );
  });

  it("return as many completion tokens as the quota pays for, and no more", () => {
    const bound = { ...TEXT_ONLY, promptTokens: 100, completionTokens: 0 };
    for (const [wantsAudio, ofModel] of [
      [false, SAMPLE_PRICE],
      [true, speaking],
    ] as const) {
      const tokens = affordableCompletion({ ...bound, wantsAudio }, 1_000, [ofModel]);
      assert.ok(chargeUpperBound({ ...bound, wantsAudio, completionTokens: tokens }, [ofModel]) <= 1_000);
      assert.ok(chargeUpperBound({ ...bound, wantsAudio, completionTokens: tokens + 10 }, [ofModel]) > 1_000);
      assert.equal(affordableCompletion(bound, 3, [ofModel]), 0);
    }
  });
});
