import { UNKNOWN_COST } from "@one-api/ledger/ledger";
import { FEES_PER_DOLLAR } from "@one-api/contract/prices/pricing";
import { TOKENS_OF_UNIT } from "@one-api/contract/prices/price-unit";
import { NO_USAGE, type Usage } from "@one-api/providers/usage";
import type { UsageCharge } from "../../features/logs/index.ts";
import type { Price, PriceStep } from "./price-model.ts";

type TermKind = UsageCharge["terms"][number][0];

/** Tokens by kind, with each kind's ratio to plain input. Parallel lists avoid an object per term. */
class Terms {
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

/** The last is that of exactly this length. */
function pricesUpTo(price: Price, promptTokens: number): readonly PriceStep["price"][] {
  const reached = (price.steps ?? []).filter(({ above }) => promptTokens > above);
  return [price, ...reached.map((step) => step.price)];
}

function stepAt({ steps }: Price, promptTokens: number): PriceStep | undefined {
  return steps?.findLast(({ above }) => promptTokens > above);
}

/** Reused by every charge: a caller must not retain the terms of `findTerms`. */
const found = new Terms();

function findTerms(usage: Usage, price: Price): Terms {
  const terms = found;
  terms.length = 0;
  if (price.unit === "token") addTokens(terms, usage, price);
  else addUnits(terms, usage, price.unit);
  if (price.unit === "token" || price.unit === "request") addToolFees(terms, usage, price);
  if (usage.providerDollars > 0) addProviderCost(terms, usage, price);
  return terms;
}

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
}

/** Adds what the provider bills for its tools beside the answer. */
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
const ROUNDING_QUOTA = 1e-6;

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

/** Of an answer of which nothing arrived, and nothing was counted. */
function isEmpty({ promptTokens, completionTokens, images, characters, seconds, searches, toolFees }: Usage): boolean {
  return promptTokens + completionTokens + images + characters + seconds + searches + toolFees === 0;
}

const QUOTA_PER_DOLLAR = 500_000;
export const FEE_QUOTA = QUOTA_PER_DOLLAR / FEES_PER_DOLLAR;

/**
 * ceil((input + output x completion ratio) x model ratio x group ratio), in quota. Never throws.
 * Other kinds of tokens have their own ratios. The minimum is the reported cost x group ratio.
 */
export function computeCharge(usage: Usage, price: Price): number {
  return chargeAt(usage, stepAt(price, usage.promptTokens)?.price ?? price);
}

function chargeAt(usage: Usage, price: Price): number {
  const terms = findTerms(usage, price);
  return chargeInNumbers(terms, price) ?? chargeInBigInts(terms, price);
}

/** Operator's cost of an answer, in quota, rounded up: as reported, else by price; `UNKNOWN_COST` without both. Never throws. */
export function computeCost(usage: Usage, price: Price | undefined): number {
  if (usage.providerDollars > 0) return Math.ceil(quotaOfDollars(usage.providerDollars) - ROUNDING_QUOTA);
  return price === undefined ? UNKNOWN_COST : computeCharge(usage, price);
}

/** `whole` / 10^`digits` */
interface Scaled {
  readonly whole: number;
  readonly digits: number;
}

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

/** Upper bound of the relative error below: about fifteen roundings of 2^-53. */
const MAX_ERROR = 4e-15;

/** Undefined if the rounding errors of floating point could change the result. */
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
  const charge = Math.ceil(quotient * (1 - MAX_ERROR));
  return charge === Math.ceil(quotient * (1 + MAX_ERROR)) && charge < Number.MAX_SAFE_INTEGER ? charge : undefined;
}

const ONE = 10n ** BigInt(DIGITS);
const UNIT = ONE ** 3n;

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

/** Terms of a charge for the log, from which it can be recomputed. */
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

/** Charge of many answers at one price, rounded up once. */
export class ChargeTotal {
  readonly #price: Price;
  readonly #tokens = new Map<TermKind, Map<number, number>>();

  constructor(price: Price) {
    this.#price = price;
  }

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

  describe(rule: UsageCharge["rule"]): UsageCharge {
    return describeCharge(this.#terms(), this.#price, { rule });
  }

  #terms(): Terms {
    const terms = new Terms();
    for (const [kind, byRatio] of this.#tokens) for (const [ratio, tokens] of byRatio) terms.add(kind, tokens, ratio);
    return terms;
  }
}

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
  /** Upper bound of the fees of hosted tools, in units of $0.0005. */
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
            (each) => each.modelRatio * each.groupRatio * dearestCompletion(bound, each) * bound.priceFactor,
          ),
        );
    const rest = quota - boundForPrice({ ...bound, completionTokens: 0 }, price);
    if (rest < 0) return 0;
    if (perToken > 0) least = Math.min(least, Math.floor(rest / perToken) - 1);
  }
  return Math.max(0, least);
}
