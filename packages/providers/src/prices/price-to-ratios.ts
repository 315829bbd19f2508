import { type Decimal, divideDecimals } from "./decimal.ts";

/** What a model costs at a provider: dollars per million tokens, as decimals. */
export interface ModelPrice {
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
  /** Of output tokens that are reasoning; absent: as `output`. */
  readonly reasoning?: Decimal;
  /** Where the price comes from, for administrators: `genai-prices openai/gpt-4o`. */
  readonly source: string;
  /**
   * What one price cannot say. `base-tier`: long prompts cost more at the provider; this is the price of short ones.
   * `dearest-hours`: the provider's price depends on the hour; this is the dearest one.
   */
  readonly simplified: readonly ("base-tier" | "dearest-hours")[];
}

/** A price as ratios, decimals of at most 12 digits after the point, what is beyond cut off. */
export interface ModelRatios {
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
  const others = [
    price.output,
    price.cachedInput,
    price.cacheWrite,
    price.longCacheWrite,
    price.audioInput,
    price.audioOutput,
    price.imageInput,
    price.cachedAudio,
    price.reasoning,
  ];
  if (price.input === "0" && others.some((other) => other !== undefined && other !== "0")) {
    return undefined;
  }
  const ratios = toRatios(price);
  remembered.set(price, ratios);
  return ratios;
}

function toRatios(price: ModelPrice): ModelRatios {
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
  };
}
