import type { PriceTier } from "@one-api/contract/prices/model-prices";
import type { PriceUnit } from "@one-api/contract/prices/price-unit";
import { type Decimal, divideDecimals } from "./decimal.ts";

export interface TokenPrices {
  readonly input: Decimal;
  readonly output: Decimal;
  /** Cache reads; absent: as `input`. */
  readonly cachedInput?: Decimal;
  /** Cache writes; absent: as `input`. */
  readonly cacheWrite?: Decimal;
  /** Cache writes for an hour; absent: as `cacheWrite`. */
  readonly longCacheWrite?: Decimal;
  readonly audioInput?: Decimal;
  /** Cache reads of audio; absent: as `audioInput`. */
  readonly cachedAudio?: Decimal;
  readonly audioOutput?: Decimal;
  readonly imageInput?: Decimal;
  /** Pictures in the output; absent: as `output`. */
  readonly imageOutput?: Decimal;
  /** Reasoning in the output; absent: as `output`. */
  readonly reasoning?: Decimal;
}

export interface PriceStep extends TokenPrices {
  readonly above: number;
}

export type OwnTiers = Readonly<Partial<Record<PriceTier, number>>>;

export interface ModelPrice extends TokenPrices {
  /** Priced unit other than tokens. `input` is then the price of a million tokens, converted by the contract's `TOKENS_OF_UNIT`. */
  readonly unit?: Exclude<PriceUnit, "token">;
  /** Prices of longer prompts, ascending; absent: the same. */
  readonly steps?: readonly PriceStep[];
  readonly tiers?: OwnTiers;
  /** Source of the price, for administrators: `genai-prices openai/gpt-4o`. */
  readonly source: string;
  /** Simplifications of the price. `dearest-hours`: it depends on the hour, and this is the highest. */
  readonly simplified: readonly "dearest-hours"[];
}

/** Price as ratios: decimals of at most 12 digits after the point, truncated. */
export interface ModelRatios extends TokenRatios {
  readonly steps?: readonly (TokenRatios & Pick<PriceStep, "above">)[];
}

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

const remembered = new WeakMap<ModelPrice, ModelRatios>();

/** Returns the ratios of a price; undefined where input is free and something else is not. Multiples of a free input are 1. */
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
