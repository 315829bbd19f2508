import { NO_USAGE, type Usage } from "@one-api/providers/usage";
import { productOf } from "./charge-product.ts";
import { findTerms } from "./charge-terms.ts";
import type { Price, PriceStep } from "./price-model.ts";

interface UnitBound extends Pick<Usage, "images" | "imageFactor" | "characters" | "seconds" | "searches"> {
  /** Largest plausible report, since a file can be longer than it declares. */
  readonly believableSeconds: number;
}

export interface UsageUpperBound {
  readonly promptTokens: number;
  readonly audioPromptTokens: number;
  /** Largest plausible report of a prompt with content known to the provider alone; absent if the prompt is known. */
  readonly believablePromptTokens?: number;
  readonly hasImages: boolean;
  readonly completionTokens: number;
  readonly wantsAudio: boolean;
  readonly units?: UnitBound;
  readonly priceFactor: number;
  /** A tier is requested, so that a model's own price of it may apply. */
  readonly namesTier?: boolean;
  readonly toolFees: number;
}

/** In quota, over all prices. */
export function chargeUpperBound(bound: UsageUpperBound, prices: readonly Price[]): number {
  return prices.reduce((most, price) => Math.max(most, boundForPrice(bound, price)), 0);
}

function boundForPrice(bound: UsageUpperBound, price: Price): number {
  if (price.steps === undefined) return boundAt(bound, price);
  return Math.max(...pricesUpTo(price, promptOf(bound)).map((each) => boundAt(bound, each)));
}

function promptOf({ promptTokens, audioPromptTokens }: UsageUpperBound): number {
  return promptTokens + audioPromptTokens;
}

function boundAt(bound: UsageUpperBound, price: Price): number {
  const promptRatio = Math.max(
    1,
    price.cachedRatio,
    price.longCacheWriteRatio,
    price.cacheWriteRatio,
    bound.hasImages ? price.imageRatio : 0,
  );
  const usage: Usage = {
    ...NO_USAGE,
    promptTokens: promptOf(bound),
    cachedTokens: bound.promptTokens,
    audioPromptTokens: bound.audioPromptTokens,
    completionTokens: bound.completionTokens,
    priceFactor: mostFactor(bound, price),
    toolFees: bound.toolFees,
  };
  const charged: Usage = bound.units === undefined ? usage : { ...usage, ...unitsOf(bound.units) };
  const dearest: Price = {
    ...price,
    cachedRatio: promptRatio,
    audioRatio: Math.max(promptRatio, price.audioRatio, price.cachedAudioRatio),
    completionRatio: dearestCompletion(bound, price),
  };
  return productOf(findTerms(charged, dearest), dearest);
}

/** The request may be served by another tier than the requested one. */
function mostFactor({ priceFactor, namesTier }: UsageUpperBound, { tiers = {} }: Price): number {
  return namesTier === true ? Math.max(priceFactor, ...Object.values(tiers)) : priceFactor;
}

/** Image models may answer with images at any time. */
function dearestCompletion({ wantsAudio }: UsageUpperBound, price: Price): number {
  const { completionRatio, reasoningRatio, audioCompletionRatio, imageCompletionRatio } = price;
  return Math.max(completionRatio, reasoningRatio, imageCompletionRatio, wantsAudio ? audioCompletionRatio : 0);
}

function unitsOf({ images, imageFactor, characters, seconds, searches }: UnitBound): Partial<Usage> {
  return { images, imageFactor, characters, seconds, searches };
}

/** Completion tokens that the quota pays for after the prompt, at the dearest price; 0 if it does not cover the prompt. */
export function affordableCompletion(bound: UsageUpperBound, quota: number, prices: readonly Price[]): number {
  let least = Number.MAX_SAFE_INTEGER;
  for (const price of prices) {
    const isByRequest = price.unit === "request";
    const perToken = isByRequest
      ? 0
      : Math.max(
          ...pricesUpTo(price, promptOf(bound)).map(
            (each) => each.modelRatio * each.groupRatio * dearestCompletion(bound, each) * mostFactor(bound, each),
          ),
        );
    const rest = quota - boundForPrice({ ...bound, completionTokens: 0 }, price);
    if (rest < 0) return 0;
    if (perToken > 0) least = Math.min(least, Math.floor(rest / perToken) - 1);
  }
  return Math.max(0, least);
}

function pricesUpTo(price: Price, promptTokens: number): readonly PriceStep["price"][] {
  const reached = (price.steps ?? []).filter(({ above }) => promptTokens > above);
  return [price, ...reached.map((step) => step.price)];
}
