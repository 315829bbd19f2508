import { FEES_PER_DOLLAR } from "@one-api/contract/pricing";
import { TOKENS_OF_UNIT } from "@one-api/contract/price-unit";
import { NO_USAGE, type Usage } from "@one-api/providers/usage";
import type { UsageCharge } from "../../features/logs/index.ts";
import type { Price, PriceStep } from "./price-model.ts";

/** Tokens of one kind and their ratio to a token of plain input. */
interface Term {
  readonly kind: UsageCharge["terms"][number][0];
  readonly tokens: number;
  readonly ratio: number;
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

/** Every kind of token that is priced by itself and was used, with how much; of a model that is priced by something else, that alone. */
function termsOf(usage: Usage, price: Price): readonly Term[] {
  if (price.unit !== "token") return [unitTerm(usage, price.unit)];
  const terms: Term[] = [];
  const add = (kind: Term["kind"], tokens: number, ratio: number): void => {
    if (tokens > 0) terms.push({ kind, tokens, ratio: ratio * usage.priceFactor });
  };
  add("input", plainInput(usage), 1);
  add("cached-input", usage.cachedTokens, price.cachedRatio);
  add("cache-write", usage.cacheWriteTokens, price.cacheWriteRatio);
  add("long-cache-write", usage.longCacheWriteTokens, price.longCacheWriteRatio);
  add("audio-input", usage.audioPromptTokens, price.audioRatio);
  add("cached-audio", usage.cachedAudioTokens, price.cachedAudioRatio);
  add("image-input", usage.imagePromptTokens, price.imageRatio);
  add("output", plainOutput(usage), price.completionRatio);
  add("reasoning", usage.reasoningTokens, price.reasoningRatio);
  add("audio-output", usage.audioCompletionTokens, price.audioCompletionRatio);
  add("image-output", usage.imageCompletionTokens, price.imageCompletionRatio);
  // Cut to millionths: what a repeating fraction is rounded up by must not become a quota.
  const fee = price.modelRatio > 0 ? Math.floor((FEE_QUOTA / price.modelRatio) * 1e6) / 1e6 : 0;
  if (usage.toolFees > 0) terms.push({ kind: "tool-fee", tokens: usage.toolFees, ratio: fee });
  return terms;
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
function unitTerm(usage: Usage, unit: Exclude<Price["unit"], "token">): Term {
  const { tokens, per } = TOKENS_OF_UNIT[unit];
  // Cut as ratios are: what a repeating fraction is rounded up by must not become a quota.
  const ratio = Math.floor((tokens / per) * 1e12) / 1e12;
  switch (unit) {
    case "image":
      return { kind: "image", tokens: usage.images, ratio: ratio * usage.imageFactor };
    case "character":
      return { kind: "character", tokens: usage.characters, ratio };
    case "second":
      return { kind: "second", tokens: usage.seconds, ratio };
    case "search":
      return { kind: "search", tokens: usage.searches, ratio };
  }
}

/** A fee of a tool that a provider runs, at 500,000 quota to the dollar. */
export const FEE_QUOTA = 500_000 / FEES_PER_DOLLAR;

/**
 * Returns the charge in quota: ceil((input + output x completion ratio) x model ratio x group ratio), with cached, cache-write, audio,
 * image and reasoning tokens at their own ratios. Computed in integers and rounded up once. What is more than an account can hold is the most
 * that it can hold; tokens that are no numbers above zero are none. Never throws.
 */
export function computeCharge(usage: Usage, price: Price): number {
  return chargeAt(usage, stepAt(price, usage.promptTokens)?.price ?? price);
}

function chargeAt(usage: Usage, price: Price): number {
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
export function toUsageCharge(usage: Usage, prices: Price, rule: UsageCharge["rule"]): UsageCharge {
  const step = stepAt(prices, usage.promptTokens);
  const price = step?.price ?? prices;
  return describeCharge(termsOf(usage, price), price, { rule, ...(step !== undefined && { long_above: step.above }) });
}

function describeCharge(
  all: Iterable<Term>,
  price: PriceStep["price"],
  about: Pick<UsageCharge, "rule" | "long_above">,
): UsageCharge {
  const terms: UsageCharge["terms"] = [];
  for (const { kind, tokens, ratio } of all) if (tokens > 0) terms.push([kind, tokens, ratio]);
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
  readonly #terms = new Map<string, Term>();

  constructor(price: Price) {
    this.#price = price;
  }

  /** A long prompt costs what it does by itself, however short the others are. */
  add(usage: Usage): void {
    const price = stepAt(this.#price, usage.promptTokens)?.price ?? this.#price;
    const scale = this.#price.modelRatio > 0 ? price.modelRatio / this.#price.modelRatio : 1;
    for (const { kind, tokens, ratio: own } of termsOf(usage, price)) {
      if (!(tokens > 0)) continue;
      const ratio = own * scale;
      const name = `${kind} ${ratio}`;
      this.#terms.set(name, { kind, ratio, tokens: Math.ceil(tokens) + (this.#terms.get(name)?.tokens ?? 0) });
    }
  }

  /** In quota. Never throws. */
  get charge(): number {
    const terms = [...this.#terms.values()];
    return chargeInNumbers(terms, this.#price) ?? chargeInBigInts(terms, this.#price);
  }

  /** The numbers of it as the log keeps them. */
  describe(rule: UsageCharge["rule"]): UsageCharge {
    return describeCharge(this.#terms.values(), this.#price, { rule });
  }
}

/** What a request may use at the most of what models may be priced by instead of tokens. */
interface UnitBound extends Pick<Usage, "images" | "imageFactor" | "characters" | "seconds" | "searches"> {
  /** How much more a report may say: a file can be longer than it says of itself. */
  readonly believableSeconds: number;
}

/** What a request may use at the most, in model tokens. */
export interface UsageBound {
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
export function boundCharge(bound: UsageBound, prices: readonly Price[]): number {
  return prices.reduce((most, price) => Math.max(most, boundForPrice(bound, price)), 0);
}

/** The dearest of the prices that a prompt of at most that length can have. */
function boundForPrice(bound: UsageBound, price: Price): number {
  if (price.steps === undefined) return boundAt(bound, price);
  return Math.max(...pricesUpTo(price, promptOf(bound)).map((each) => boundAt(bound, each)));
}

function promptOf({ promptTokens, audioPromptTokens }: UsageBound): number {
  return promptTokens + audioPromptTokens;
}

/** Every token at the dearest ratio that the request can incur for it. */
function boundAt(bound: UsageBound, price: Price): number {
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
    ...(bound.units && unitsOf(bound.units)),
  };
  return chargeAt(usage, {
    ...price,
    cachedRatio: promptRatio,
    audioRatio: Math.max(promptRatio, price.audioRatio, price.cachedAudioRatio),
    completionRatio: dearestCompletion(bound, price),
  });
}

/** Models that make pictures do so whenever they like. */
function dearestCompletion({ wantsAudio }: UsageBound, price: Price): number {
  const { completionRatio, reasoningRatio, audioCompletionRatio, imageCompletionRatio } = price;
  return Math.max(completionRatio, reasoningRatio, imageCompletionRatio, wantsAudio ? audioCompletionRatio : 0);
}

function unitsOf({ images, imageFactor, characters, seconds, searches }: UnitBound): Partial<Usage> {
  return { images, imageFactor, characters, seconds, searches };
}

/** How many completion tokens the quota pays for after the prompt, at the dearest price; 0 when it does not even cover the prompt. */
export function affordableCompletion(bound: UsageBound, quota: number, prices: readonly Price[]): number {
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
