import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { NO_USAGE, type Usage } from "@one-api/providers/usage";
import fc from "fast-check";
import { affordableCompletion, chargeUpperBound } from "./charge-upper-bound.ts";
import { computeCharge, computeCost, toUsageCharge } from "./compute-charge.ts";
import { type Price, priceModel } from "./price-model.ts";
import { samplePrice as price } from "./testing/sample-price.ts";

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
    assert.equal(computeCharge({ ...NO_USAGE, promptTokens: 12, completionTokens: 30 }, price), 10); // 132 x 0.075 = 9.9
    assert.equal(computeCharge({ ...NO_USAGE, promptTokens: 40 }, price), 3); // exactly 3, never 4
    assert.equal(computeCharge({ ...NO_USAGE, promptTokens: 1 }, price), 1);
    assert.equal(computeCharge(NO_USAGE, price), 0);
  });

  it("is exact where binary fractions are not", () => {
    const tenth: Price = { ...price, modelRatio: 0.1, completionRatio: 1.1, groupRatio: 1 };
    assert.equal(computeCharge({ ...NO_USAGE, completionTokens: 100 }, tenth), 11); // 100 x 1.1 x 0.1 is 11.000000000000002 in floats
  });

  it("charges cached tokens at their own ratio, as part of the prompt [CONST-26]", () => {
    const usage = { ...NO_USAGE, promptTokens: 1_000, cachedTokens: 800 };
    assert.equal(computeCharge(usage, { ...price, modelRatio: 1 }), 600);
    assert.deepEqual(toUsageCharge(usage, price, "usage").terms, [
      ["input", 200, 1],
      ["cached-input", 800, 0.5],
    ]);
  });

  it("never exceeds the largest balance, and never throws", () => {
    const dear = { ...price, modelRatio: 1_000_000, groupRatio: 1_000_000 };
    assert.equal(computeCharge({ ...NO_USAGE, promptTokens: 1_000_000 }, dear), Number.MAX_SAFE_INTEGER);
    const absurd = { ...NO_USAGE, promptTokens: 2 ** 60, completionTokens: 1.5, reasoningTokens: Number.NaN };
    assert.equal(computeCharge(absurd, { ...price, modelRatio: 1e300 }), Number.MAX_SAFE_INTEGER);
    assert.equal(computeCharge({ ...NO_USAGE, promptTokens: 10 }, { ...price, modelRatio: -1 }), 0);
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
        assert.equal(computeCharge(usage, { ...price, ...ratios }), exactCharge(usage, { ...price, ...ratios }));
      }),
      { numRuns: 100_000 },
    );
  });
});

/** Costs of real models by the vendors' price pages, with usage as reported. */
const bills: readonly (readonly [
  what: string,
  model: string,
  type: ChannelType,
  used: Partial<Usage>,
  dollars: number,
])[] = [
  [
    "gpt-4o-audio-preview hears and speaks [CONST-28]",
    "gpt-4o-audio-preview",
    1,
    { promptTokens: 1_000, audioPromptTokens: 800, completionTokens: 500, audioCompletionTokens: 400 },
    (200 * 2.5 + 800 * 40 + 100 * 10 + 400 * 80) / 1e6,
  ],
  [
    "its first snapshot was dearer",
    "gpt-4o-audio-preview-2024-10-01",
    1,
    { promptTokens: 1_000, audioPromptTokens: 1_000, completionTokens: 100, audioCompletionTokens: 100 },
    (1_000 * 100 + 100 * 200) / 1e6,
  ],
  [
    "gpt-4o-mini-audio-preview",
    "gpt-4o-mini-audio-preview",
    1,
    { promptTokens: 1_000, audioPromptTokens: 1_000, completionTokens: 1_000, audioCompletionTokens: 900 },
    (1_000 * 10 + 100 * 0.6 + 900 * 20) / 1e6,
  ],
  [
    "gpt-audio on Azure",
    "gpt-audio",
    3,
    { promptTokens: 500, audioPromptTokens: 500, completionTokens: 500, audioCompletionTokens: 500 },
    (500 * 32 + 500 * 64) / 1e6,
  ],
  [
    "gpt-4o with a cached prompt and reasoning in its output",
    "gpt-4o",
    1,
    { promptTokens: 1_000, cachedTokens: 600, completionTokens: 100, reasoningTokens: 60 },
    (400 * 2.5 + 600 * 1.25 + 100 * 10) / 1e6,
  ],
  [
    "[CONST-27] Claude writes and reads its cache",
    "claude-opus-4-5",
    8,
    { promptTokens: 1_000, cachedTokens: 600, cacheWriteTokens: 200, completionTokens: 100 },
    (200 * 5 + 600 * 0.5 + 200 * 6.25 + 100 * 25) / 1e6,
  ],
  [
    "Claude writes to its cache for an hour",
    "claude-opus-4-5",
    14,
    { promptTokens: 1_000, cacheWriteTokens: 200, longCacheWriteTokens: 300, completionTokens: 100 },
    (500 * 5 + 200 * 6.25 + 300 * 10 + 100 * 25) / 1e6,
  ],
  [
    "Claude is fast",
    "claude-opus-4-6",
    14,
    { promptTokens: 1_000, cachedTokens: 600, completionTokens: 100, priceFactor: 6 },
    (6 * (400 * 5 + 600 * 0.5 + 100 * 25)) / 1e6,
  ],
  [
    "Gemini hears",
    "gemini-2.5-flash",
    24,
    { promptTokens: 1_000, audioPromptTokens: 900, completionTokens: 100 },
    (100 * 0.3 + 900 * 1 + 100 * 2.5) / 1e6,
  ],
  [
    "a model whose reasoning has a price of its own",
    "perplexity/sonar-deep-research",
    20,
    { promptTokens: 1_000, completionTokens: 1_000, reasoningTokens: 900 },
    (1_000 * 2 + 100 * 8 + 900 * 3) / 1e6,
  ],
];

const noOptions = { ratios: () => new Map<string, number>(), prices: () => new Map() };

describe("the charge of real models, by kind of token", () => {
  for (const [what, model, type, used, dollars] of bills) {
    const ofModel = priceModel(noOptions, { model, type, group: "default" });
    const usage = { ...NO_USAGE, ...used };

    it(what, () => {
      assert.equal(ofModel.source, "list");
      // Rounded to millionths of a quota, since the expectation is computed in floats.
      assert.equal(computeCharge(usage, ofModel), Math.ceil(Number((dollars * 500_000).toFixed(6))));
    });

    it(`${what}: reserved before it is spent`, () => {
      const bound = {
        promptTokens: usage.promptTokens - usage.audioPromptTokens,
        audioPromptTokens: usage.audioPromptTokens,
        hasImages: usage.imagePromptTokens > 0,
        completionTokens: usage.completionTokens,
        wantsAudio: usage.audioCompletionTokens > 0,
        priceFactor: usage.priceFactor,
        toolFees: usage.toolFees,
      };
      assert.ok(chargeUpperBound(bound, [ofModel]) >= computeCharge(usage, ofModel));
    });
  }

  it("is one price for a whole request, beside the tools of the provider, and nothing for nothing", () => {
    const prices = () => new Map([["gpt-4o", [{ per_request: 0.02 }]]]);
    const byRequest = priceModel(
      { ...noOptions, prices },
      { model: "gpt-4o", type: 1, group: "default", endpoint: "chat-completions" },
    );
    const usage = { ...NO_USAGE, promptTokens: 90_000, completionTokens: 90_000 };
    const searching = { ...usage, toolFees: 20 };
    assert.deepEqual(
      [NO_USAGE, usage, searching].map((used) => computeCharge(used, byRequest)),
      [0, 10_000, 15_000],
    );
    const bound = {
      promptTokens: 10,
      audioPromptTokens: 0,
      hasImages: false,
      completionTokens: 10,
      wantsAudio: false,
      priceFactor: 1,
      toolFees: 20,
    };
    assert.equal(chargeUpperBound(bound, [byRequest]), 15_000);
    assert.equal(affordableCompletion(bound, 15_000, [byRequest]), Number.MAX_SAFE_INTEGER);
    assert.equal(affordableCompletion(bound, 14_999, [byRequest]), 0);
  });

  it("stays with the list for audio when an administrator sets the price of text", () => {
    const own = {
      ...noOptions,
      ratios: (name: string) => new Map(name === "CompletionRatio" ? [["gpt-4o-audio-preview", 5]] : []),
    };
    const ofModel = priceModel(own, { model: "gpt-4o-audio-preview", type: 1, group: "default" });
    assert.equal(ofModel.completionRatio, 5);
    assert.equal(ofModel.reasoningRatio, 5);
    assert.equal(ofModel.audioCompletionRatio, 32);
  });

  it("[CONST-29] is stored by kind", () => {
    const usage: Usage = {
      ...NO_USAGE,
      promptTokens: 1_000,
      cachedTokens: 100,
      cachedAudioTokens: 10,
      cacheWriteTokens: 20,
      audioPromptTokens: 200,
      imagePromptTokens: 30,
      completionTokens: 500,
      reasoningTokens: 40,
      audioCompletionTokens: 250,
      imageCompletionTokens: 50,
    };
    const dear: Price = {
      ...price,
      modelRatio: 1.25,
      audioRatio: 16,
      cachedAudioRatio: 2,
      imageRatio: 1.5,
      audioCompletionRatio: 32,
      imageCompletionRatio: 20,
    };
    const { terms } = toUsageCharge(usage, { ...dear, cacheWriteRatio: 1.25, reasoningRatio: 6 }, "usage");
    assert.deepEqual(terms, [
      ["input", 640, 1],
      ["cached-input", 100, 0.5],
      ["cache-write", 20, 1.25],
      ["audio-input", 200, 16],
      ["cached-audio", 10, 2],
      ["image-input", 30, 1.5],
      ["output", 160, 4],
      ["reasoning", 40, 6],
      ["audio-output", 250, 32],
      ["image-output", 50, 20],
    ]);
  });

  it("is never less than the cost that the provider reports, times the group's ratio", () => {
    const usage = { ...NO_USAGE, promptTokens: 10, completionTokens: 10 };
    const rows = [
      [{ providerDollars: 0.0401 }, 1, 20_050],
      [{ providerDollars: 0.0401 }, 0.5, 10_025],
      [{ providerDollars: 0.0401, toolFees: 100 }, 1, 25_050],
      [{ providerDollars: 1e-9 }, 1, 50],
      [{ providerDollars: 12.5 }, 1, 6_250_000],
    ] as const;
    for (const [reported, groupRatio, charge] of rows) {
      for (const modelRatio of [1, 3, 0.15]) {
        const ofGroup = { ...price, modelRatio, groupRatio };
        const least = Math.ceil(reported.providerDollars * 500_000 * groupRatio - 1e-6);
        assert.ok(computeCharge({ ...usage, ...reported }, ofGroup) >= least);
        if (modelRatio === 1)
          assert.equal(computeCharge({ ...usage, ...reported }, { ...ofGroup, completionRatio: 4 }), charge);
      }
    }
    assert.equal(computeCharge({ ...usage, providerDollars: 5 }, { ...price, modelRatio: 0 }), 0);
    const picture = priceModel(noOptions, {
      model: "dall-e-3",
      type: 1,
      group: "default",
      endpoint: "image-generations",
    });
    assert.equal(computeCharge({ ...NO_USAGE, images: 1, providerDollars: 0.5 }, picture), 250_000);
  });

  it("costs the operator what the provider reports, with or without a known price", () => {
    const usage = { ...NO_USAGE, promptTokens: 10, providerDollars: 0.0401 };
    assert.deepEqual([computeCost(usage, undefined), computeCost(usage, price)], [20_050, 20_050]);
  });

  it("counts images, characters and seconds if the model is priced by them, ignoring reported tokens", () => {
    const rows = [
      ["dall-e-3", "image-generations", { images: 2, imageFactor: 2 }, [["image", 2, 2_000]], 80_000],
      ["dall-e-2", "image-generations", { images: 3, imageFactor: 1.125 }, [["image", 3, 1_125]], 27_000],
      ["tts-1", "speech", { characters: 1_001 }, [["character", 1_001, 1]], 7_508],
      ["whisper-1", "transcriptions", { seconds: 60 }, [["second", 60, 3.333333333333]], 3_000],
      ["gpt-image-1", "image-generations", { images: 1, imageCompletionTokens: 500 }, [["input", 100, 1]], 10_250],
    ] as const;
    for (const [model, endpoint, used, terms, quota] of rows) {
      const of = priceModel(noOptions, { model, type: 1, group: "default", endpoint });
      const usage = { ...NO_USAGE, promptTokens: 100, completionTokens: 500, ...used };
      assert.deepEqual(toUsageCharge(usage, of, "usage").terms.slice(0, 1), terms, model);
      assert.equal(computeCharge(usage, of), quota, model);
      assert.equal(
        chargeUpperBound({ ...text, ...usage, units: { ...usage, believableSeconds: 0 } }, [of]) >= quota,
        true,
        model,
      );
    }
  });

  it("counts tokens if a model priced by another unit answers with text", () => {
    const usage = { ...NO_USAGE, promptTokens: 100, completionTokens: 500 };
    for (const model of ["dall-e-3", "tts-1", "whisper-1"]) {
      assert.ok(
        computeCharge(
          usage,
          priceModel(noOptions, { model, type: 1, group: "default", endpoint: "chat-completions" }),
        ) > 600,
        model,
      );
    }
  });
});

describe("prices of long prompts", () => {
  /** Source: the vendors' price pages, through the maintained list. */
  const rows: readonly (readonly [model: string, type: ChannelType, above: number, short: number, long: number])[] = [
    ["gpt-5.4", 1, 271_999, 1.25, 2.5],
    ["gpt-6-sol", 1, 272_000, 1, 2],
    ["claude-sonnet-4-5", 14, 200_000, 1.5, 3],
    ["gemini-2.5-pro", 24, 200_000, 0.625, 1.25],
    ["grok-4.5", 45, 199_999, 1, 2],
  ];
  for (const [model, type, above, short, long] of rows) {
    it(`${model} costs every token more above ${above}`, () => {
      const ofModel = priceModel(noOptions, { model, type, group: "default" });
      const at = (promptTokens: number) => computeCharge({ ...NO_USAGE, promptTokens }, ofModel);
      assert.deepEqual([at(above), at(above + 1)], [Math.ceil(above * short), Math.ceil((above + 1) * long)]);
      const cached = { ...NO_USAGE, promptTokens: above + 1, cachedTokens: above, completionTokens: 10 };
      const charge = toUsageCharge(cached, ofModel, "usage");
      assert.deepEqual([charge.model_ratio, charge.long_above], [long, above], "what came from a cache counts");
      assert.equal(toUsageCharge({ ...cached, promptTokens: above }, ofModel, "usage").long_above, undefined);
      const most = { ...text, promptTokens: above + 1, completionTokens: 10 };
      assert.ok(chargeUpperBound(most, [ofModel]) >= computeCharge(cached, ofModel), "set aside at the dearer price");
      assert.ok(
        chargeUpperBound({ ...most, promptTokens: above }, [ofModel]) < chargeUpperBound(most, [ofModel]) * 0.6,
      );
      const quota = chargeUpperBound({ ...most, completionTokens: 1_000 }, [ofModel]);
      const tokens = affordableCompletion({ ...most, completionTokens: 0 }, quota, [ofModel]);
      assert.ok(chargeUpperBound({ ...most, completionTokens: tokens }, [ofModel]) <= quota && tokens >= 990);
    });
  }

  it("are those of an administrator's ratio, for any length", () => {
    const own = { ...noOptions, ratios: (name: string) => new Map(name === "ModelRatio" ? [["gpt-5.4", 7]] : []) };
    const ofModel = priceModel(own, { model: "gpt-5.4", type: 1, group: "default" });
    assert.equal(computeCharge({ ...NO_USAGE, promptTokens: 400_000 }, ofModel), 2_800_000);
  });

  it("stay dearest if a longer prompt is cheaper", () => {
    const odd: Price = { ...price, modelRatio: 2, steps: [{ above: 100, price: { ...price, modelRatio: 1 } }] };
    assert.equal(chargeUpperBound({ ...text, promptTokens: 200, completionTokens: 0 }, [odd]), 400);
  });
});

const text = { audioPromptTokens: 0, hasImages: false, wantsAudio: false, priceFactor: 1, toolFees: 0 };

describe("upper bounds of charges", () => {
  it("cover every kind in which the prompt's tokens can be billed", () => {
    const bound = chargeUpperBound({ ...text, promptTokens: 100, completionTokens: 50 }, [
      { ...price, cacheWriteRatio: 1.25 },
    ]);
    const dearest = computeCharge(
      { ...NO_USAGE, promptTokens: 100, cacheWriteTokens: 100, completionTokens: 50 },
      { ...price, cacheWriteRatio: 1.25 },
    );
    assert.equal(bound, dearest);
  });

  it("cover an hour in the cache, and the dearest requested speed", () => {
    const claude = priceModel(noOptions, { model: "claude-opus-4-6", type: 14, group: "default" });
    const bound = { ...text, promptTokens: 100, completionTokens: 50, priceFactor: 6 };
    const dearest = { ...NO_USAGE, promptTokens: 100, longCacheWriteTokens: 100, completionTokens: 50, priceFactor: 6 };
    assert.equal(chargeUpperBound(bound, [claude]), computeCharge(dearest, claude));
    const tokens = affordableCompletion({ ...bound, completionTokens: 0 }, 50_000, [claude]);
    assert.ok(chargeUpperBound({ ...bound, completionTokens: tokens }, [claude]) <= 50_000);
  });

  it("bound searches by the context they fill, plus a fee for each", () => {
    const claude = priceModel(noOptions, { model: "claude-opus-4-6", type: 14, group: "default" });
    const usage = { ...NO_USAGE, promptTokens: 100 };
    const { modelRatio } = claude;
    assert.equal(computeCharge({ ...usage, toolFees: 60 }, claude), Math.ceil(100 * modelRatio) + 15_000);
  });

  const speaking: Price = {
    ...price,
    audioRatio: 16,
    cachedAudioRatio: 16,
    imageRatio: 3,
    audioCompletionRatio: 32,
    reasoningRatio: 6,
  };
  const used = { promptTokens: 100, completionTokens: 50 };

  it("use the rates of audio and images only if the request can incur them", () => {
    const plain = chargeUpperBound({ ...text, ...used }, [speaking]);
    assert.equal(plain, computeCharge({ ...NO_USAGE, ...used, reasoningTokens: 50 }, speaking));
    const seeing = chargeUpperBound({ ...text, ...used, hasImages: true }, [speaking]);
    assert.equal(
      seeing,
      computeCharge({ ...NO_USAGE, ...used, imagePromptTokens: 100, reasoningTokens: 50 }, speaking),
    );
    const hearing = chargeUpperBound({ ...text, ...used, audioPromptTokens: 200, wantsAudio: true }, [speaking]);
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
    assert.equal(chargeUpperBound({ ...text, ...searching }, [price]), computeCharge(dearest, price));
  });

  it("return as many completion tokens as the quota pays for, and no more", () => {
    const bound = { ...text, promptTokens: 100, completionTokens: 0 };
    for (const [wantsAudio, ofModel] of [
      [false, price],
      [true, speaking],
    ] as const) {
      const tokens = affordableCompletion({ ...bound, wantsAudio }, 1_000, [ofModel]);
      assert.ok(chargeUpperBound({ ...bound, wantsAudio, completionTokens: tokens }, [ofModel]) <= 1_000);
      assert.ok(chargeUpperBound({ ...bound, wantsAudio, completionTokens: tokens + 10 }, [ofModel]) > 1_000);
      assert.equal(affordableCompletion(bound, 3, [ofModel]), 0);
    }
  });
});
