import { NO_USAGE, type Usage } from "@one-api/providers/usage";
import type { UsageCharge } from "../../features/logs/index.ts";
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

/** Tokens of one kind and their ratio to a token of plain input. */
interface Term {
  readonly kind: UsageCharge["terms"][number][0];
  readonly tokens: number;
  readonly ratio: number;
}

/** Every kind of token that is priced by itself, with what was used of it. */
function termsOf(usage: Usage, price: Price): readonly Term[] {
  const input =
    usage.promptTokens -
    usage.cachedTokens -
    usage.cachedAudioTokens -
    usage.cacheWriteTokens -
    usage.audioPromptTokens -
    usage.imagePromptTokens;
  const output = usage.completionTokens - usage.audioCompletionTokens - usage.reasoningTokens;
  return [
    { kind: "input", tokens: input, ratio: 1 },
    { kind: "cached-input", tokens: usage.cachedTokens, ratio: price.cachedRatio },
    { kind: "cache-write", tokens: usage.cacheWriteTokens, ratio: price.cacheWriteRatio },
    { kind: "audio-input", tokens: usage.audioPromptTokens, ratio: price.audioRatio },
    { kind: "cached-audio", tokens: usage.cachedAudioTokens, ratio: price.cachedAudioRatio },
    { kind: "image-input", tokens: usage.imagePromptTokens, ratio: price.imageRatio },
    { kind: "output", tokens: output, ratio: price.completionRatio },
    { kind: "reasoning", tokens: usage.reasoningTokens, ratio: price.reasoningRatio },
    { kind: "audio-output", tokens: usage.audioCompletionTokens, ratio: price.audioCompletionRatio },
  ];
}

/**
 * Returns the charge in quota: ceil((input + output x completion ratio) x model ratio x group ratio), with cached, cache-write, audio,
 * image and reasoning tokens at their own ratios. Computed in integers and rounded up once.
 * Throws RangeError when it is more than an account can hold.
 */
export function computeCharge(usage: Usage, price: Price): number {
  const tokens = termsOf(usage, price).reduce((sum, term) => sum + weighted(term.tokens, term.ratio), 0n);
  const product = tokens * scaled(price.modelRatio) * scaled(price.groupRatio);
  const charge = (product + UNIT - 1n) / UNIT;
  if (charge > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError("The charge is more than an account can hold.");
  return Number(charge);
}

/** Returns the numbers of a charge as the log keeps them, from which everybody can compute it again. */
export function toUsageCharge(usage: Usage, price: Price, rule: UsageCharge["rule"]): UsageCharge {
  const terms: UsageCharge["terms"] = [];
  for (const { kind, tokens, ratio } of termsOf(usage, price)) if (tokens > 0) terms.push([kind, tokens, ratio]);
  return {
    rule,
    source: price.source,
    model_ratio: price.modelRatio,
    group_ratio: price.groupRatio,
    completion_ratio: price.completionRatio,
    terms,
  };
}

/** What a request may use at the most, in model tokens. */
export interface UsageBound {
  /** Without audio. */
  readonly promptTokens: number;
  readonly audioPromptTokens: number;
  readonly hasImages: boolean;
  readonly completionTokens: number;
  /** The answer may be audio. */
  readonly wantsAudio: boolean;
}

/** Returns an upper bound of the charge over all prices the request may end up with, in quota. */
export function boundCharge(bound: UsageBound, prices: readonly Price[]): number {
  return prices.reduce((most, price) => Math.max(most, boundForPrice(bound, price)), 0);
}

/** Every token at the dearest ratio that the request can incur for it. */
function boundForPrice(bound: UsageBound, price: Price): number {
  const promptRatio = Math.max(1, price.cachedRatio, price.cacheWriteRatio, bound.hasImages ? price.imageRatio : 0);
  const usage: Usage = {
    ...NO_USAGE,
    promptTokens: bound.promptTokens + bound.audioPromptTokens,
    cachedTokens: bound.promptTokens,
    audioPromptTokens: bound.audioPromptTokens,
    completionTokens: bound.completionTokens,
  };
  return computeCharge(usage, {
    ...price,
    cachedRatio: promptRatio,
    audioRatio: Math.max(promptRatio, price.audioRatio, price.cachedAudioRatio),
    completionRatio: dearestCompletion(bound, price),
  });
}

function dearestCompletion({ wantsAudio }: UsageBound, price: Price): number {
  return Math.max(price.completionRatio, price.reasoningRatio, wantsAudio ? price.audioCompletionRatio : 0);
}

/** How many completion tokens the quota pays for after the prompt, at the dearest price; 0 when it does not even cover the prompt. */
export function affordableCompletion(bound: UsageBound, quota: number, prices: readonly Price[]): number {
  let least = Number.MAX_SAFE_INTEGER;
  for (const price of prices) {
    const perToken = price.modelRatio * price.groupRatio * dearestCompletion(bound, price);
    const left = quota - boundForPrice({ ...bound, completionTokens: 0 }, price);
    if (left < 0) return 0;
    if (perToken > 0) least = Math.min(least, Math.floor(left / perToken) - 1);
  }
  return Math.max(0, least);
}
