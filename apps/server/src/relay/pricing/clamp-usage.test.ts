import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NO_USAGE, type Usage } from "@one-api/providers/usage";
import fc from "fast-check";
import { parseJson } from "@one-api/providers/shared/json-fields";
import { clampUsage } from "./clamp-usage.ts";
import { chargeUpperBound } from "./charge-upper-bound.ts";
import { computeCharge } from "./compute-charge.ts";
import type { Price } from "./price-model.ts";

const bound = {
  promptTokens: 100,
  audioPromptTokens: 0,
  hasImages: false,
  completionTokens: 50,
  wantsAudio: false,
  priceFactor: 1,
  toolFees: 0,
};

describe("clampUsage", () => {
  it("accepts plausible reports", () => {
    const usage = { ...NO_USAGE, promptTokens: 90, cachedTokens: 40, completionTokens: 50, reasoningTokens: 10 };
    assert.deepEqual(clampUsage(usage, bound), { usage, notes: [] });
  });

  it("accepts instructions and reasoning that providers add", () => {
    const usage = { ...NO_USAGE, promptTokens: 780, completionTokens: 4_000, reasoningTokens: 3_990 };
    assert.deepEqual(clampUsage(usage, bound), { usage, notes: [] });
  });

  it("replaces implausible totals by the upper bound, with a note", () => {
    const report = { ...NO_USAGE, promptTokens: 2 ** 53 - 1, cachedTokens: 2 ** 52, completionTokens: 1e300 };
    const { usage, notes } = clampUsage(report, bound);
    assert.deepEqual(usage, { ...NO_USAGE, promptTokens: 100, cachedTokens: 100, completionTokens: 50 });
    assert.deepEqual(notes, [
      { code: "odd-prompt-tokens", reported: 2 ** 53 - 1, counted: 100 },
      { code: "odd-completion-tokens", reported: 1e300, counted: 50 },
    ]);
  });

  it("accepts a prompt up to the context if its media are known to the provider alone", () => {
    const open = { ...bound, believablePromptTokens: 1_000_000 };
    for (const [reported, counted] of [
      [900_000, 900_000],
      [1_000_001, 100],
    ] as const) {
      assert.equal(clampUsage({ ...NO_USAGE, promptTokens: reported }, open).usage.promptTokens, counted);
    }
  });

  it("rounds fractions up, and replaces negative and invalid numbers by 0", () => {
    const report = { ...NO_USAGE, promptTokens: 10.5, completionTokens: -3, audioCompletionTokens: Number.NaN };
    const { usage, notes } = clampUsage(report, bound);
    assert.deepEqual(usage, { ...NO_USAGE, promptTokens: 11 });
    assert.deepEqual(
      notes.map(({ code, reported }) => [code, reported]),
      [
        ["odd-prompt-tokens", 10.5],
        ["odd-completion-tokens", -3],
      ],
    );
    assert.deepEqual(clampUsage({ ...NO_USAGE, promptTokens: Number.NaN }, bound).usage, NO_USAGE);
    const endless = clampUsage({ ...NO_USAGE, promptTokens: Number.POSITIVE_INFINITY }, bound).notes;
    assert.deepEqual(parseJson(JSON.stringify(endless)), endless);
  });

  it("retains the price of speed, and limits searches", () => {
    const report = { ...NO_USAGE, promptTokens: 10, priceFactor: 6, toolFees: 2 ** 40 };
    assert.deepEqual(clampUsage(report, bound).usage, { ...report, toolFees: 20_000 });
  });

  it("limits parts to their totals", () => {
    const report = { ...NO_USAGE, promptTokens: 10, cachedTokens: 30, audioPromptTokens: 4, completionTokens: 2 };
    const { usage } = clampUsage({ ...report, reasoningTokens: 9 }, bound);
    assert.deepEqual(usage, { ...report, cachedTokens: 6, reasoningTokens: 2 });
  });

  it("makes every report chargeable and plausible", () => {
    const anyNumber = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(2 ** 53, -(2 ** 53), 1e308, Number.NaN));
    const fields: Record<
      keyof Omit<Usage, "priceFactor" | "namesTier" | "tier" | "providerDollars" | "toolFees" | "imageFactor">,
      typeof anyNumber
    > = {
      promptTokens: anyNumber,
      completionTokens: anyNumber,
      cachedTokens: anyNumber,
      cachedAudioTokens: anyNumber,
      cacheWriteTokens: anyNumber,
      longCacheWriteTokens: anyNumber,
      reasoningTokens: anyNumber,
      audioPromptTokens: anyNumber,
      audioCompletionTokens: anyNumber,
      imagePromptTokens: anyNumber,
      imageCompletionTokens: anyNumber,
      images: anyNumber,
      characters: anyNumber,
      seconds: anyNumber,
      searches: anyNumber,
    };
    const price: Price = {
      modelRatio: 15,
      completionRatio: 5,
      groupRatio: 1.5,
      cachedRatio: 0.1,
      cacheWriteRatio: 1.25,
      longCacheWriteRatio: 2,
      audioRatio: 1,
      cachedAudioRatio: 1,
      audioCompletionRatio: 5,
      imageRatio: 1,
      imageCompletionRatio: 5,
      unit: "token",
      reasoningRatio: 5,
      source: "list",
    };
    const believable = { ...bound, promptTokens: 100 + 8_192, hasImages: true, completionTokens: 50 + 131_072 };
    const most = chargeUpperBound(believable, [price]);
    fc.assert(
      fc.property(fc.record(fields), (counts) => {
        const { usage } = clampUsage({ ...NO_USAGE, ...counts }, bound);
        for (const count of Object.values({ ...usage, namesTier: 0, tier: 0 }))
          assert.ok(Number.isSafeInteger(count) && count >= 0);
        const charge = computeCharge(usage, price);
        assert.ok(charge >= 0 && charge <= most, `${charge} of ${most}`);
      }),
      { numRuns: 5_000 },
    );
  });
});
