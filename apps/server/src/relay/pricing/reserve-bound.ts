import type { Usage } from "@one-api/providers/usage";
import { NO_USAGE } from "@one-api/providers/usage";
import { computeCharge } from "./compute-charge.ts";
import type { Price } from "./price.ts";

/** What a request may use at the most, in model tokens. */
export interface UsageBound {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Returns an upper bound of the charge over all prices the request may end up with, in quota. */
export function boundCharge(bound: UsageBound, prices: readonly Price[]): number {
  return prices.reduce((most, price) => Math.max(most, boundForPrice(bound, price)), 0);
}

/** Every prompt token at the prompt's dearest ratio that text can have. */
function boundForPrice({ promptTokens, completionTokens }: UsageBound, price: Price): number {
  const usage: Usage = { ...NO_USAGE, promptTokens, cachedTokens: promptTokens, completionTokens };
  return computeCharge(usage, { ...price, cachedRatio: Math.max(1, price.cacheWriteRatio) });
}

/** How many completion tokens the quota pays for after the prompt, at the dearest price; 0 when it does not even cover the prompt. */
export function affordableCompletion(promptTokens: number, quota: number, prices: readonly Price[]): number {
  let least = Number.MAX_SAFE_INTEGER;
  for (const price of prices) {
    const perToken = price.modelRatio * price.groupRatio * price.completionRatio;
    const left = quota - boundForPrice({ promptTokens, completionTokens: 0 }, price);
    if (left < 0) return 0;
    if (perToken > 0) least = Math.min(least, Math.floor(left / perToken) - 1);
  }
  return Math.max(0, least);
}
