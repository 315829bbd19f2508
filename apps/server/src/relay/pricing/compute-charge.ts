import { NO_USAGE, type Usage } from "@one-api/providers/usage";
import type { Price } from "./price-model.ts";

/** Ratios are kept as whole trillionths, so that no sum of money ever goes through a binary fraction. */
const SCALE = 1_000_000_000_000;
const ONE = BigInt(SCALE);
const UNIT = ONE ** 3n;

function scaled(ratio: number): bigint {
  return ratio === 1 ? ONE : BigInt(Math.round(ratio * SCALE));
}

/** Tokens at their ratio. Most requests have no tokens of most kinds, and whole numbers without limit are slow. */
function weighted(tokens: number, ratio: number): bigint {
  return tokens <= 0 ? 0n : BigInt(tokens) * scaled(ratio);
}

/**
 * Returns the charge in quota: ceil((input + output x completion ratio) x model ratio x group ratio), with cached, cache-write, audio
 * and image tokens at their own ratios. Computed in integers and rounded up once.
 * Throws RangeError when it is more than an account can hold.
 */
export function computeCharge(usage: Usage, price: Price): number {
  const plainPrompt =
    usage.promptTokens -
    usage.cachedTokens -
    usage.cacheWriteTokens -
    usage.audioPromptTokens -
    usage.imagePromptTokens;
  const plainCompletion = usage.completionTokens - usage.audioCompletionTokens;
  const tokens =
    weighted(plainPrompt, 1) +
    weighted(usage.cachedTokens, price.cachedRatio) +
    weighted(usage.cacheWriteTokens, price.cacheWriteRatio) +
    weighted(usage.audioPromptTokens, price.audioRatio) +
    weighted(usage.imagePromptTokens, price.imageRatio) +
    weighted(plainCompletion, price.completionRatio) +
    weighted(usage.audioCompletionTokens, price.audioCompletionRatio);
  const product = tokens * scaled(price.modelRatio) * scaled(price.groupRatio);
  const charge = (product + UNIT - 1n) / UNIT;
  if (charge > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError("The charge is more than an account can hold.");
  return Number(charge);
}

/** Returns the charge as people can check it, with the numbers that went into it. */
export function describeCharge(usage: Usage, price: Price, charge: number): string {
  const special = usage.cachedTokens + usage.cacheWriteTokens + usage.audioPromptTokens + usage.imagePromptTokens;
  const prompt = [
    String(usage.promptTokens - special),
    ...term(usage.cachedTokens, price.cachedRatio, "cached"),
    ...term(usage.cacheWriteTokens, price.cacheWriteRatio, "cache write"),
    ...term(usage.audioPromptTokens, price.audioRatio, "audio"),
    ...term(usage.imagePromptTokens, price.imageRatio, "image"),
  ];
  const completion = [
    `${usage.completionTokens - usage.audioCompletionTokens} × ${price.completionRatio}`,
    ...term(usage.audioCompletionTokens, price.audioCompletionRatio, "audio"),
  ];
  return `ceil((${[...prompt, ...completion].join(" + ")}) × ${price.modelRatio} × ${price.groupRatio}) = ${charge}`;
}

function term(tokens: number, ratio: number, label: string): string[] {
  return tokens === 0 ? [] : [`${tokens} ${label} × ${ratio}`];
}

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
