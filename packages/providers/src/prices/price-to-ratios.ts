import type { PriceUnit } from "@one-api/contract/prices/price-unit";
import { type Decimal, divideDecimals } from "./decimal.ts";

/** Dollars per million tokens of each kind, as decimals. */
export interface TokenPrices {
  readonly input: Decimal;
  readonly output: Decimal;
  /** Of input tokens read from a cache; absent: as `input`. */
  readonly cachedInput?: Decimal;
  /** Of input tokens written to a cache; absent: as `input`. */
  readonly cacheWrite?: Decimal;
  /** Of input tokens written to a cache for an hour; absent: as `cacheWrite`. */
  readonly longCacheWrite?: Decimal;
  readonly audioInput?: Decimal;
  /** Of audio read from a cache; absent: as `audioInput`. */
  readonly cachedAudio?: Decimal;
  readonly audioOutput?: Decimal;
  readonly imageInput?: Decimal;
  /** Of output tokens that are pictures; absent: as `output`. */
  readonly imageOutput?: Decimal;
  /** Of output tokens that are reasoning; absent: as `output`. */
  readonly reasoning?: Decimal;
}

/** What every token of a request costs whose prompt is long. */
export interface PriceStep extends TokenPrices {
  /** It counts for prompts of more than so many tokens, what came from a cache included. */
  readonly above: number;
}

/** What a model costs at a provider. */
export interface ModelPrice extends TokenPrices {
  /** What is priced, if not tokens: `input` is then the price of a million of what one picture, character or second counts for, see the contract's `TOKENS_OF_UNIT`. */
  readonly unit?: Exclude<PriceUnit, "token">;
  /** What longer prompts cost, the shortest first; absent: the same. */
  readonly steps?: readonly PriceStep[];
  /** Where the price comes from, for administrators: `genai-prices openai/gpt-4o`. */
  readonly source: string;
  /** What one price cannot say. `dearest-hours`: the provider's price depends on the hour; this is the dearest one. */
  readonly simplified: readonly "dearest-hours"[];
}

/** A price as ratios, decimals of at most 12 digits after the point, what is beyond cut off. */
export interface ModelRatios extends TokenRatios {
  readonly steps?: readonly (TokenRatios & Pick<PriceStep, "above">)[];
}

/** The prices of each kind of token as ratios. */
export interface TokenRatios {
  /** 1 is $2 per million input tokens, so one quota per token. */
  readonly modelRatio: Decimal;
  /** The others are multiples of the price of an input token. */
  readonly completionRatio: Decimal;
  readonly cachedRatio?: Decimal;
  readonly cacheWriteRatio?: Decimal;
  readonly longCacheWriteRatio?: Decimal;
  readonly audioRatio?: Decimal;
  readonly cachedAudioRatio?: Decimal;
  readonly audioCompletionRatio?: Decimal;
  readonly imageRatio?: Decimal;
  readonly imageCompletionRatio?: Decimal;
  readonly reasoningRatio?: Decimal;
}

const DOLLARS_AT_RATIO_ONE = "2";

/** Prices are remembered by `defaultPrice`, so their ratios are made once too. */
const remembered = new WeakMap<ModelPrice, ModelRatios>();

/**
 * The ratios of a price; undefined when ratios cannot express it, which is so when input is free and something else is not.
 * Multiples of a free input are 1.
 */
export function priceToRatios(price: ModelPrice): ModelRatios | undefined {
  const known = remembered.get(price);
  if (known !== undefined) {
    return known;
  }
  if (![price, ...(price.steps ?? [])].every(hasRatios)) return undefined;
  const ratios = {
    ...toRatios(price),
    ...(price.steps !== undefined && {
      steps: price.steps.map((step) => ({ above: step.above, ...toRatios(step) })),
    }),
  };
  remembered.set(price, ratios);
  return ratios;
}

function hasRatios(price: TokenPrices): boolean {
  const others = [
    price.output,
    price.cachedInput,
    price.cacheWrite,
    price.longCacheWrite,
    price.audioInput,
    price.audioOutput,
    price.imageInput,
    price.imageOutput,
    price.cachedAudio,
    price.reasoning,
  ];
  return price.input !== "0" || others.every((other) => other === undefined || other === "0");
}

function toRatios(price: TokenPrices): TokenRatios {
  const multiple = (part: Decimal): Decimal => (price.input === "0" ? "1" : divideDecimals(part, price.input));
  return {
    modelRatio: divideDecimals(price.input, DOLLARS_AT_RATIO_ONE),
    completionRatio: multiple(price.output),
    ...(price.cachedInput === undefined ? {} : { cachedRatio: multiple(price.cachedInput) }),
    ...(price.cacheWrite === undefined ? {} : { cacheWriteRatio: multiple(price.cacheWrite) }),
    ...(price.longCacheWrite === undefined ? {} : { longCacheWriteRatio: multiple(price.longCacheWrite) }),
    ...(price.audioInput === undefined ? {} : { audioRatio: multiple(price.audioInput) }),
    ...(price.cachedAudio === undefined ? {} : { cachedAudioRatio: multiple(price.cachedAudio) }),
    ...(price.reasoning === undefined ? {} : { reasoningRatio: multiple(price.reasoning) }),
    ...(price.audioOutput === undefined ? {} : { audioCompletionRatio: multiple(price.audioOutput) }),
    ...(price.imageInput === undefined ? {} : { imageRatio: multiple(price.imageInput) }),
    ...(price.imageOutput === undefined ? {} : { imageCompletionRatio: multiple(price.imageOutput) }),
  };
}
