import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { nextStart } from "@one-api/contract/prices/model-prices";
import { priceByName, priceOfProvider } from "./genai-price.ts";
import { type PriceList, priceListInUse } from "./price-list.ts";
import type { ModelPrice } from "./price-to-ratios.ts";
import { pricePerMillion } from "./price-unit.ts";
import { type Decimal, decimalOf, divideDecimals } from "./decimal.ts";
import { namedPrice } from "./named-price.ts";
import { makersPrice, vendorPrice } from "./vendor-price.ts";
import { withoutPalm } from "../models/palm-names.ts";
import fallbackPrices from "./fallback-prices.json" with { type: "json" };

/** Callers choose the names, so the cache needs a limit. */
const MAX_REMEMBERED = 10_000;

const remembered = new Map<string, ModelPrice | undefined>();
/** Period in ms in which no price begins. */
let rememberedFrom = 0;
let rememberedUntil = 0;
let rememberedOf: PriceList | undefined;

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Returns the default price of a model at a provider; undefined for an unknown model. Sources in order:
 *
 * 1. prices by name of a fetched list
 * 2. price list of the channel's provider
 * 3. page of that vendor
 * 4. One API's table for the channel type
 * 5. lists of all providers by name, makers of models first
 * 6. page of the maker of the model, by name
 * 7. One API's table by name
 *
 * Ignores the suffix `-internet` of Qwen and Command models, and the language of DeepL's. Cached until the list changes or a dated
 * price begins.
 */
export function defaultPrice(model: string, type?: ChannelType, now: Date = new Date()): ModelPrice | undefined {
  const nowMs = now.getTime();
  const lists = priceListInUse();
  const isTimely = nowMs >= rememberedFrom && nowMs < rememberedUntil;
  if (!isTimely || lists !== rememberedOf || remembered.size >= MAX_REMEMBERED) {
    remembered.clear();
    rememberedFrom = nowMs;
    rememberedUntil = listHoldsUntil(nowMs);
    rememberedOf = lists;
  }
  const key = `${type ?? ""} ${model}`;
  if (!remembered.has(key)) {
    remembered.set(key, priceAt(lists, model, type, now));
  }
  return remembered.get(key);
}

/** Time in ms until which the prices of the list in use stay the same. Its days are those of UTC. */
export function listHoldsUntil(nowMs: number): number {
  return Math.min((Math.floor(nowMs / DAY_MS) + 1) * DAY_MS, nextStart(priceListInUse().names, nowMs));
}

/** Price of a model by other lists, uncached; otherwise like `defaultPrice`. */
export function priceAt(
  lists: PriceList,
  model: string,
  type: ChannelType | undefined,
  now: Date,
): ModelPrice | undefined {
  const name = withoutPalm(model).replace(/^((?:qwen|command)-.*)-internet$|^(deepl)-.+$/, "$1$2");
  const named =
    namedPrice(lists.names, model, type, now.getTime()) ?? namedPrice(lists.names, name, type, now.getTime());
  if (named !== undefined) return named;
  const ownPrice =
    type === undefined
      ? undefined
      : (priceOfProvider(lists, name, type, now) ?? vendorPrice(name, type, now) ?? fallbackPrice(name, type));
  return ownPrice ?? priceByName(lists, name, now) ?? makersPrice(name, now) ?? fallbackPrice(name);
}

/** Exchange rate of the table, exact. */
const YUAN_PER_DOLLAR = "7";

const prices = new Map<string, ModelPrice>([
  ...Object.entries(fallbackPrices.dollarsPerMillion).flatMap(([text, models]) => {
    const [input = "0", output = input] = text.split("/");
    return entriesOf(models, input, output);
  }),
  ...Object.entries(fallbackPrices.yuanPerThousand).flatMap(([text, models]) => {
    const [input = "0", output = input] = text
      .split("/")
      .map((yuan) => divideDecimals(decimalOf(Number(yuan) * 1_000), YUAN_PER_DOLLAR));
    return entriesOf(models, input, output);
  }),
  ...unitEntries("image", fallbackPrices.dollarsPerImage),
  // Alibaba's prices are those of mainland China (https://help.aliyun.com/zh/model-studio/model-pricing), MiniMax's those of minimaxi.com, each
  // confirmed by two lists. Cloudflare's (https://developers.cloudflare.com/workers-ai/platform/pricing) assume the most steps.
  ...unitEntries("image", fallbackPrices.yuanPerImage, YUAN_PER_DOLLAR),
  ...unitEntries("character", fallbackPrices.dollarsPerMillionCharacters, "1000000"),
  ...unitEntries("second", fallbackPrices.dollarsPerMinute, "60"),
  ...unitEntries("search", fallbackPrices.dollarsPerThousandSearches, "1000"),
]);

function unitEntries(
  unit: NonNullable<ModelPrice["unit"]>,
  table: Readonly<Record<string, readonly string[]>>,
  amount: Decimal = "1",
): (readonly [string, ModelPrice])[] {
  return Object.entries(table).flatMap(([dollars, models]) => {
    const price = pricePerMillion(unit, dollars, amount);
    return entriesOf(models, price, price, unit);
  });
}

function entriesOf(
  models: readonly string[],
  input: Decimal,
  output: Decimal,
  unit?: ModelPrice["unit"],
): (readonly [string, ModelPrice])[] {
  const price: ModelPrice = { ...(unit && { unit }), input, output, source: "One API's table", simplified: [] };
  return models.map((model) => [model.toLowerCase(), price]);
}

/**
 * Returns the price in One API's own table, which has many Chinese and retired models. Ignores case. Entries such as `llama3-8b-8192(33)`
 * apply to one channel type.
 */
function fallbackPrice(model: string, type?: ChannelType): ModelPrice | undefined {
  return prices.get((type === undefined ? model : `${model}(${type})`).toLowerCase());
}
