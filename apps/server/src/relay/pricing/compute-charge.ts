import { UNKNOWN_COST } from "@one-api/ledger/ledger";
import { FEES_PER_DOLLAR } from "@one-api/contract/prices/pricing";
import { TOKENS_OF_UNIT } from "@one-api/contract/prices/price-unit";
import { NO_USAGE, type Usage } from "@one-api/providers/usage";
import type { UsageCharge } from "../../features/logs/index.ts";
import type { Price, PriceStep } from "./price-model.ts";

type TermKind = UsageCharge["terms"][number][0];

/** Tokens by their kinds, and the ratio of each kind to a token of plain input; in lists side by side, so that nothing is made for one of them. */
class Terms {
  length = 0;
  readonly #kinds: TermKind[] = [];
  readonly #tokens: number[] = [];
  readonly #ratios: number[] = [];

  /** Nothing is taken of a kind that was not used. */
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

/** The prices that prompts of up to so many tokens can have: the last is what one of just that length has. */
function pricesUpTo(price: Price, promptTokens: number): readonly PriceStep["price"][] {
  const reached = (price.steps ?? []).filter(({ above }) => promptTokens > above);
  return [price, ...reached.map((step) => step.price)];
}

/** The step that counts for a prompt of that length; undefined for the price of short ones. */
function stepAt({ steps }: Price, promptTokens: number): PriceStep | undefined {
  return steps?.findLast(({ above }) => promptTokens > above);
}

/** Used again by every charge: whoever finds terms is done with them before the next. */
const found = new Terms();

/** Every kind of token that is priced by itself and was used, with how much; of a model that is priced by something else, that alone. */
function findTerms(usage: Usage, price: Price): Terms {
  const terms = found;
  terms.length = 0;
  if (price.unit === "token") addTokens(terms, usage, price);
  else addUnits(terms, usage, price.unit);
  if (usage.providerDollars > 0) addProviderCost(terms, usage, price);
  return terms;
}

/** Every kind of token that was used, and fees beside them. */
function addTokens(terms: Terms, usage: Usage, price: Price): void {
  const { priceFactor } = usage;
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
  // Cut to millionths: what a repeating fraction is rounded up by must not become a quota.
  const fee = price.modelRatio > 0 ? Math.floor((FEE_QUOTA / price.modelRatio) * 1e6) / 1e6 : 0;
  terms.add("tool-fee", usage.toolFees, fee);
}

/** Adds what the cost that the provider reports exceeds the other terms by, in quota before the group's ratio. A model without a price stays free. */
function addProviderCost(terms: Terms, { providerDollars }: Usage, { modelRatio }: Price): void {
  if (modelRatio === 0) return;
  let quota = 0;
  for (let index = 0; index < terms.length; index += 1)
    quota += Math.ceil(terms.tokens(index)) * terms.ratio(index) * modelRatio;
  const missing = Math.ceil(quotaOfDollars(providerDollars) - quota - ROUNDING_QUOTA);
  terms.add("provider-cost", missing, Math.floor((1 / modelRatio) * 1e12) / 1e12);
}

/** By so much a sum of fractions may be wrong, in quota. */
const ROUNDING_QUOTA = 1e-6;

/** Dollars as quota, a fraction among it. */
function quotaOfDollars(dollars: number): number {
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

/** What is priced by itself, with the tokens that one of it counts for. */
function addUnits(terms: Terms, usage: Usage, unit: Exclude<Price["unit"], "token">): void {
  const { tokens, per } = TOKENS_OF_UNIT[unit];
  // Cut as ratios are: what a repeating fraction is rounded up by must not become a quota.
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
  }
}

const QUOTA_PER_DOLLAR = 500_000;
/** A fee of a tool that a provider runs, in quota. */
export const FEE_QUOTA = QUOTA_PER_DOLLAR / FEES_PER_DOLLAR;

/**
 * Returns the charge in quota: ceil((input + output x completion ratio) x model ratio x group ratio), with cached, cache-write, audio,
 * image and reasoning tokens at their own ratios, and no less than the cost that the provider reports x group ratio. Computed in integers and rounded up once. What is more than an account can hold is the most
 * that it can hold; tokens that are no numbers above zero are none. Never throws.
 */
export function computeCharge(usage: Usage, price: Price): number {
  return chargeAt(usage, stepAt(price, usage.promptTokens)?.price ?? price);
}

function chargeAt(usage: Usage, price: Price): number {
  const terms = findTerms(usage, price);
  return chargeInNumbers(terms, price) ?? chargeInBigInts(terms, price);
}

/**
 * Returns what an answer cost the operator, in quota, rounded up as a charge is: as the provider reports it, else by the price; `UNKNOWN_COST` where
 * neither is known. Never throws.
 */
export function computeCost(usage: Usage, price: Price | undefined): number {
  if (usage.providerDollars > 0) return Math.ceil(quotaOfDollars(usage.providerDollars) - ROUNDING_QUOTA);
  return price === undefined ? UNKNOWN_COST : computeCharge(usage, price);
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
function chargeInNumbers(terms: Terms, price: Price): number | undefined {
  const [model, group] = [scaled(price.modelRatio), scaled(price.groupRatio)];
  let digits = 0;
  for (let index = 0; index < terms.length; index += 1) digits = Math.max(digits, scaled(terms.ratio(index)).digits);
  let weighted = 0;
  for (let index = 0; index < terms.length; index += 1) {
    const { whole, digits: own } = scaled(terms.ratio(index));
    weighted += Math.ceil(terms.tokens(index)) * (own === digits ? whole : whole * powerOfTen(digits - own));
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
function chargeInBigInts(terms: Terms, price: Price): number {
  const exact = (ratio: number) => {
    const { whole, digits } = scaled(ratio);
    return BigInt(Number.isFinite(whole) ? whole : Number.MAX_SAFE_INTEGER) * 10n ** BigInt(DIGITS - digits);
  };
  let weighted = 0n;
  for (let index = 0; index < terms.length; index += 1) {
    const tokens = Math.ceil(Math.min(terms.tokens(index), Number.MAX_SAFE_INTEGER));
    weighted += BigInt(tokens) * exact(terms.ratio(index));
  }
  const product = weighted * exact(price.modelRatio) * exact(price.groupRatio);
  const charge = (product + UNIT - 1n) / UNIT;
  return charge > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(charge);
}

/** Returns the numbers of a charge as the log keeps them, from which everybody can compute it again. */
export function toUsageCharge(usage: Usage, prices: Price, rule: UsageCharge["rule"]): UsageCharge {
  const step = stepAt(prices, usage.promptTokens);
  const price = step?.price ?? prices;
  const about = step === undefined ? { rule } : { rule, long_above: step.above };
  return describeCharge(findTerms(usage, price), price, about);
}

function describeCharge(
  all: Terms,
  price: PriceStep["price"],
  about: Pick<UsageCharge, "rule" | "long_above">,
): UsageCharge {
  const terms: UsageCharge["terms"] = [];
  for (let index = 0; index < all.length; index += 1)
    terms.push([all.kind(index), all.tokens(index), all.ratio(index)]);
  return {
    ...about,
    source: price.source,
    model_ratio: price.modelRatio,
    group_ratio: price.groupRatio,
    completion_ratio: price.completionRatio,
    terms,
  };
}

/** What many answers cost together at one price: what they used is added up by kind and ratio, and the sum is rounded up once. */
export class ChargeTotal {
  readonly #price: Price;
  readonly #tokens = new Map<TermKind, Map<number, number>>();

  constructor(price: Price) {
    this.#price = price;
  }

  /** A long prompt costs what it does by itself, however short the others are. */
  add(usage: Usage): void {
    const price = stepAt(this.#price, usage.promptTokens)?.price ?? this.#price;
    const scale = this.#price.modelRatio > 0 ? price.modelRatio / this.#price.modelRatio : 1;
    const terms = findTerms(usage, price);
    for (let index = 0; index < terms.length; index += 1) {
      const [kind, ratio] = [terms.kind(index), terms.ratio(index) * scale];
      const byRatio = this.#tokens.get(kind) ?? new Map<number, number>();
      this.#tokens.set(kind, byRatio);
      byRatio.set(ratio, (byRatio.get(ratio) ?? 0) + Math.ceil(terms.tokens(index)));
    }
  }

  /** In quota. Never throws. */
  get charge(): number {
    const terms = this.#terms();
    return chargeInNumbers(terms, this.#price) ?? chargeInBigInts(terms, this.#price);
  }

  /** The numbers of it as the log keeps them. */
  describe(rule: UsageCharge["rule"]): UsageCharge {
    return describeCharge(this.#terms(), this.#price, { rule });
  }

  #terms(): Terms {
    const terms = new Terms();
    for (const [kind, byRatio] of this.#tokens) for (const [ratio, tokens] of byRatio) terms.add(kind, tokens, ratio);
    return terms;
  }
}

/** What a request may use at the most of what models may be priced by instead of tokens. */
interface UnitBound extends Pick<Usage, "images" | "imageFactor" | "characters" | "seconds" | "searches"> {
  /** How much more a report may say: a file can be longer than it says of itself. */
  readonly believableSeconds: number;
}

/** What a request may use at the most, in model tokens. */
export interface UsageUpperBound {
  /** Without audio. */
  readonly promptTokens: number;
  readonly audioPromptTokens: number;
  /** How long a report may say that the prompt was, where only the provider learns what stands in it; absent where it was all here. */
  readonly believablePromptTokens?: number;
  readonly hasImages: boolean;
  readonly completionTokens: number;
  /** The answer may be audio. */
  readonly wantsAudio: boolean;
  /** What models may be priced by instead of tokens; absent where nothing of it is asked for. */
  readonly units?: UnitBound;
  /** What the price of every token may be multiplied by. */
  readonly priceFactor: number;
  /** What tools may cost that the provider runs, in fees of $0.0005. */
  readonly toolFees: number;
}

/** Returns an upper bound of the charge over all prices the request may end up with, in quota. */
export function chargeUpperBound(bound: UsageUpperBound, prices: readonly Price[]): number {
  return prices.reduce((most, price) => Math.max(most, boundForPrice(bound, price)), 0);
}

/** The dearest of the prices that a prompt of at most that length can have. */
function boundForPrice(bound: UsageUpperBound, price: Price): number {
  if (price.steps === undefined) return boundAt(bound, price);
  return Math.max(...pricesUpTo(price, promptOf(bound)).map((each) => boundAt(bound, each)));
}

function promptOf({ promptTokens, audioPromptTokens }: UsageUpperBound): number {
  return promptTokens + audioPromptTokens;
}

/** Every token at the dearest ratio that the request can incur for it. */
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
    priceFactor: bound.priceFactor,
    toolFees: bound.toolFees,
  };
  return chargeAt(bound.units === undefined ? usage : { ...usage, ...unitsOf(bound.units) }, {
    ...price,
    cachedRatio: promptRatio,
    audioRatio: Math.max(promptRatio, price.audioRatio, price.cachedAudioRatio),
    completionRatio: dearestCompletion(bound, price),
  });
}

/** Models that make pictures do so whenever they like. */
function dearestCompletion({ wantsAudio }: UsageUpperBound, price: Price): number {
  const { completionRatio, reasoningRatio, audioCompletionRatio, imageCompletionRatio } = price;
  return Math.max(completionRatio, reasoningRatio, imageCompletionRatio, wantsAudio ? audioCompletionRatio : 0);
}

function unitsOf({ images, imageFactor, characters, seconds, searches }: UnitBound): Partial<Usage> {
  return { images, imageFactor, characters, seconds, searches };
}

/** How many completion tokens the quota pays for after the prompt, at the dearest price; 0 when it does not even cover the prompt. */
export function affordableCompletion(bound: UsageUpperBound, quota: number, prices: readonly Price[]): number {
  let least = Number.MAX_SAFE_INTEGER;
  for (const price of prices) {
    const perToken = Math.max(
      ...pricesUpTo(price, promptOf(bound)).map(
        (each) => each.modelRatio * each.groupRatio * dearestCompletion(bound, each) * bound.priceFactor,
      ),
    );
    const left = quota - boundForPrice({ ...bound, completionTokens: 0 }, price);
    if (left < 0) return 0;
    if (perToken > 0) least = Math.min(least, Math.floor(left / perToken) - 1);
  }
  return Math.max(0, least);
}
