import type { Price, PriceOptions } from "../price-model.ts";

export const SAMPLE_PRICE: Price = {
  modelRatio: 0.075,
  completionRatio: 4,
  groupRatio: 1,
  cachedRatio: 0.5,
  cacheWriteRatio: 1,
  longCacheWriteRatio: 1,
  audioRatio: 1,
  cachedAudioRatio: 1,
  audioCompletionRatio: 4,
  imageRatio: 1,
  imageCompletionRatio: 4,
  unit: "token",
  reasoningRatio: 4,
  source: "list",
};

export const NO_OPTIONS: PriceOptions = { ratios: () => new Map<string, number>(), prices: () => new Map() };

/** A request of text alone. */
export const TEXT_ONLY = { audioPromptTokens: 0, hasImages: false, wantsAudio: false, priceFactor: 1, toolFees: 0 };
