import type { Usage } from "@one-api/providers/usage";
import type { Price } from "./price.ts";

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
