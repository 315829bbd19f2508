import { NO_USAGE, type Usage } from "@one-api/providers/usage";
import type { UsageCharge } from "../../features/logs/index.ts";
import type { Price } from "./price-model.ts";

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
    usage.longCacheWriteTokens -
    usage.audioPromptTokens -
    usage.imagePromptTokens;
  const output = usage.completionTokens - usage.audioCompletionTokens - usage.reasoningTokens;
  const terms: readonly Term[] = [
    { kind: "input", tokens: input, ratio: 1 },
    { kind: "cached-input", tokens: usage.cachedTokens, ratio: price.cachedRatio },
    { kind: "cache-write", tokens: usage.cacheWriteTokens, ratio: price.cacheWriteRatio },
    { kind: "long-cache-write", tokens: usage.longCacheWriteTokens, ratio: price.longCacheWriteRatio },
    { kind: "audio-input", tokens: usage.audioPromptTokens, ratio: price.audioRatio },
    { kind: "cached-audio", tokens: usage.cachedAudioTokens, ratio: price.cachedAudioRatio },
    { kind: "image-input", tokens: usage.imagePromptTokens, ratio: price.imageRatio },
    { kind: "output", tokens: output, ratio: price.completionRatio },
    { kind: "reasoning", tokens: usage.reasoningTokens, ratio: price.reasoningRatio },
    { kind: "audio-output", tokens: usage.audioCompletionTokens, ratio: price.audioCompletionRatio },
  ];
  if (usage.priceFactor === 1 && usage.webSearches === 0) return terms;
  // Cut to millionths: what a repeating fraction is rounded up by must not become a quota.
  const searches = price.modelRatio > 0 ? Math.floor((SEARCH_QUOTA / price.modelRatio) * 1e6) / 1e6 : 0;
  return [
    ...terms.map((term) => ({ ...term, ratio: term.ratio * usage.priceFactor })),
    { kind: "web-search", tokens: usage.webSearches, ratio: searches },
  ];
}

/** A search of the web that a provider makes: $10 for a thousand. Source: https://docs.anthropic.com/en/docs/about-claude/pricing */
export const SEARCH_QUOTA = 5_000;

/**
 * Returns the charge in quota: ceil((input + output x completion ratio) x model ratio x group ratio), with cached, cache-write, audio,
 * image and reasoning tokens at their own ratios. Computed in integers and rounded up once. What is more than an account can hold is the most
 * that it can hold; tokens that are no numbers above zero are none. Never throws.
 */
export function computeCharge(usage: Usage, price: Price): number {
  const terms = termsOf(usage, price);
  return chargeInNumbers(terms, price) ?? chargeInBigInts(terms, price);
}

/** Returns what an answer cost the operator, in quota, rounded up as a charge is; -1 where no price is known. Never throws. */
export function computeCost(usage: Usage, price: Price | undefined): number {
  return price === undefined ? -1 : computeCharge(usage, price);
}

/** A ratio as a whole number and how often it is to be divided by ten. */
interface Scaled {
  readonly whole: number;
  readonly digits: number;
}

/** Ratios have at most so many digits after the point; what is beyond is rounded. */
const DIGITS = 12;
const MAX_REMEMBERED = 10_000;
const remembered = new Map<number, Scaled>();
const POWERS_OF_TEN = Array.from({ length: 3 * DIGITS + 1 }, (_, power) => Number(`1e${power}`));

function scaled(ratio: number): Scaled {
  const known = remembered.get(ratio);
  if (known !== undefined) return known;
  let whole = Math.max(0, Math.round(ratio * 10 ** DIGITS));
  let digits = whole === 0 ? 0 : DIGITS;
  for (; digits > 0 && whole % 10 === 0; digits -= 1) whole /= 10;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const made = { whole, digits };
  remembered.set(ratio, made);
  return made;
}

function powerOfTen(power: number): number {
  return POWERS_OF_TEN[power] ?? Number.POSITIVE_INFINITY;
}

/** What the steps below can have lost at the most, as a share of the result: some fifteen roundings of 2^-53. */
const LOST = 4e-15;

/** The charge where numbers can tell it: every step is whole and exact, or what was lost on the way cannot change the rounded result. */
function chargeInNumbers(terms: readonly Term[], price: Price): number | undefined {
  const [model, group] = [scaled(price.modelRatio), scaled(price.groupRatio)];
  let digits = 0;
  for (const { tokens, ratio } of terms) if (tokens > 0) digits = Math.max(digits, scaled(ratio).digits);
  let weighted = 0;
  for (const { tokens, ratio } of terms) {
    if (!(tokens > 0)) continue;
    const { whole, digits: own } = scaled(ratio);
    weighted += Math.ceil(tokens) * (own === digits ? whole : whole * powerOfTen(digits - own));
  }
  const product = weighted * model.whole * group.whole;
  const divisor = powerOfTen(digits + model.digits + group.digits);
  if (product <= Number.MAX_SAFE_INTEGER && divisor <= Number.MAX_SAFE_INTEGER) {
    const rest = product % divisor;
    return (product - rest) / divisor + (rest > 0 ? 1 : 0);
  }
  const quotient = product / divisor;
  const charge = Math.ceil(quotient * (1 - LOST));
  return charge === Math.ceil(quotient * (1 + LOST)) && charge < Number.MAX_SAFE_INTEGER ? charge : undefined;
}

const ONE = 10n ** BigInt(DIGITS);
const UNIT = ONE ** 3n;

/** The same for numbers of any length. */
function chargeInBigInts(terms: readonly Term[], price: Price): number {
  const exact = (ratio: number) => {
    const { whole, digits } = scaled(ratio);
    return BigInt(Number.isFinite(whole) ? whole : Number.MAX_SAFE_INTEGER) * 10n ** BigInt(DIGITS - digits);
  };
  let weighted = 0n;
  for (const { tokens, ratio } of terms) {
    if (tokens > 0) weighted += BigInt(Math.ceil(Math.min(tokens, Number.MAX_SAFE_INTEGER))) * exact(ratio);
  }
  const product = weighted * exact(price.modelRatio) * exact(price.groupRatio);
  const charge = (product + UNIT - 1n) / UNIT;
  return charge > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(charge);
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
  /** What the price of every token may be multiplied by. */
  readonly priceFactor: number;
  readonly webSearches: number;
}

/** Returns an upper bound of the charge over all prices the request may end up with, in quota. */
export function boundCharge(bound: UsageBound, prices: readonly Price[]): number {
  return prices.reduce((most, price) => Math.max(most, boundForPrice(bound, price)), 0);
}

/** Every token at the dearest ratio that the request can incur for it. */
function boundForPrice(bound: UsageBound, price: Price): number {
  const promptRatio = Math.max(
    1,
    price.cachedRatio,
    price.longCacheWriteRatio,
    price.cacheWriteRatio,
    bound.hasImages ? price.imageRatio : 0,
  );
  const usage: Usage = {
    ...NO_USAGE,
    promptTokens: bound.promptTokens + bound.audioPromptTokens,
    cachedTokens: bound.promptTokens,
    audioPromptTokens: bound.audioPromptTokens,
    completionTokens: bound.completionTokens,
    priceFactor: bound.priceFactor,
    webSearches: bound.webSearches,
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
    const perToken = price.modelRatio * price.groupRatio * dearestCompletion(bound, price) * bound.priceFactor;
    const left = quota - boundForPrice({ ...bound, completionTokens: 0 }, price);
    if (left < 0) return 0;
    if (perToken > 0) least = Math.min(least, Math.floor(left / perToken) - 1);
  }
  return Math.max(0, least);
}
