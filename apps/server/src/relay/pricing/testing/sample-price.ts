import type { Price } from "../price-model.ts";

/** Of gpt-4o-mini. */
export const samplePrice: Price = {
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
