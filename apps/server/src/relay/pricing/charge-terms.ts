import { FEES_PER_DOLLAR } from "@one-api/contract/prices/pricing";
import { TOKENS_OF_UNIT } from "@one-api/contract/prices/price-unit";
import type { Usage } from "@one-api/providers/usage";
import type { UsageCharge } from "../../features/logs/index.ts";
import type { Price } from "./price-model.ts";

export type TermKind = UsageCharge["terms"][number][0];

/** Tokens by kind, with each kind's ratio to plain input. Parallel lists avoid an object per term. */
export class Terms {
  length = 0;
  readonly #kinds: TermKind[] = [];
  readonly #tokens: number[] = [];
  readonly #ratios: number[] = [];

  add(kind: TermKind, tokens: number, ratio: number): void {
    if (!(tokens > 0)) return;
    this.#kinds[this.length] = kind;
    this.#tokens[this.length] = tokens;
    this.#ratios[this.length] = ratio;
    this.length += 1;
  }

  kind(index: number): TermKind {
    return this.#kinds[index] ?? "input";
  }

  tokens(index: number): number {
    return this.#tokens[index] ?? 0;
  }

  ratio(index: number): number {
    return this.#ratios[index] ?? 0;
  }
}

const QUOTA_PER_DOLLAR = 500_000;
export const FEE_QUOTA = QUOTA_PER_DOLLAR / FEES_PER_DOLLAR;

/** Reused by every charge: a caller must not retain the terms of `findTerms`. */
const found = new Terms();

export function findTerms(usage: Usage, price: Price): Terms {
  const terms = found;
  terms.length = 0;
  if (price.unit === "token") addTokens(terms, usage, price);
  else addUnits(terms, usage, price.unit);
  if (price.unit === "token" || price.unit === "request") addToolFees(terms, usage, price);
  if (usage.providerDollars > 0) addProviderCost(terms, usage, price);
  return terms;
}

/** Price factor of the tier: the model's own one, else the provider's. */
function factorOf({ tier, priceFactor }: Usage, { tiers }: Price): number {
  return (tier && tiers?.[tier]) ?? priceFactor;
}

function addTokens(terms: Terms, usage: Usage, price: Price): void {
  const priceFactor = factorOf(usage, price);
  terms.add("input", plainInput(usage), priceFactor);
  terms.add("cached-input", usage.cachedTokens, price.cachedRatio * priceFactor);
  terms.add("cache-write", usage.cacheWriteTokens, price.cacheWriteRatio * priceFactor);
  terms.add("long-cache-write", usage.longCacheWriteTokens, price.longCacheWriteRatio * priceFactor);
  terms.add("audio-input", usage.audioPromptTokens, price.audioRatio * priceFactor);
  terms.add("cached-audio", usage.cachedAudioTokens, price.cachedAudioRatio * priceFactor);
  terms.add("image-input", usage.imagePromptTokens, price.imageRatio * priceFactor);
  terms.add("output", plainOutput(usage), price.completionRatio * priceFactor);
  terms.add("reasoning", usage.reasoningTokens, price.reasoningRatio * priceFactor);
  terms.add("audio-output", usage.audioCompletionTokens, price.audioCompletionRatio * priceFactor);
  terms.add("image-output", usage.imageCompletionTokens, price.imageCompletionRatio * priceFactor);
}

function addToolFees(terms: Terms, { toolFees }: Usage, { modelRatio }: Price): void {
  // Truncated to millionths, so that the error of a repeating fraction is not rounded up to a quota.
  const fee = modelRatio > 0 ? Math.floor((FEE_QUOTA / modelRatio) * 1e6) / 1e6 : 0;
  terms.add("tool-fee", toolFees, fee);
}

/** Adds the excess of the provider's reported cost over the other terms, in quota before the group ratio. A free model stays free. */
function addProviderCost(terms: Terms, { providerDollars }: Usage, { modelRatio }: Price): void {
  if (modelRatio === 0) return;
  let quota = 0;
  for (let index = 0; index < terms.length; index += 1)
    quota += Math.ceil(terms.tokens(index)) * terms.ratio(index) * modelRatio;
  const missing = Math.ceil(quotaOfDollars(providerDollars) - quota - ROUNDING_QUOTA);
  terms.add("provider-cost", missing, Math.floor((1 / modelRatio) * 1e12) / 1e12);
}

/** Largest error of a sum of fractions, in quota. */
export const ROUNDING_QUOTA = 1e-6;

export function quotaOfDollars(dollars: number): number {
  return dollars * QUOTA_PER_DOLLAR;
}

function plainInput(usage: Usage): number {
  const cached = usage.cachedTokens + usage.cachedAudioTokens + usage.cacheWriteTokens + usage.longCacheWriteTokens;
  return usage.promptTokens - cached - usage.audioPromptTokens - usage.imagePromptTokens;
}

function plainOutput(usage: Usage): number {
  const { audioCompletionTokens, imageCompletionTokens, reasoningTokens } = usage;
  return usage.completionTokens - audioCompletionTokens - imageCompletionTokens - reasoningTokens;
}

function addUnits(terms: Terms, usage: Usage, unit: Exclude<Price["unit"], "token">): void {
  const { tokens, per } = TOKENS_OF_UNIT[unit];
  // Truncated like the fee above.
  const ratio = Math.floor((tokens / per) * 1e12) / 1e12;
  switch (unit) {
    case "image":
      return terms.add("image", usage.images, ratio * usage.imageFactor);
    case "character":
      return terms.add("character", usage.characters, ratio);
    case "second":
      return terms.add("second", usage.seconds, ratio);
    case "search":
      return terms.add("search", usage.searches, ratio);
    case "request":
      return terms.add("request", isEmpty(usage) ? 0 : 1, ratio);
  }
}

function isEmpty({ promptTokens, completionTokens, images, characters, seconds, searches, toolFees }: Usage): boolean {
  return promptTokens + completionTokens + images + characters + seconds + searches + toolFees === 0;
}
