import { type ChannelType, channelTypeInfo } from "@one-api/contract/channels/channel-types";
import { modelSources } from "../models/model-sources.ts";
import type { ModelPrice as ListedPrice } from "@pydantic/genai-prices";
import { type ListedModel, LISTS_BY_PREFERENCE, type PriceList, priceListInUse } from "./price-list.ts";
import type { ModelPrice, PriceStep, TokenPrices } from "./price-to-ratios.ts";
import { type Decimal, decimalOf } from "./decimal.ts";
import { pricePerMillion } from "./price-unit.ts";

export function priceOfProvider(lists: PriceList, model: string, type: ChannelType, now: Date): ModelPrice | undefined {
  const info = channelTypeInfo(type);
  const list = info === undefined ? undefined : modelSources[info.name]?.priceList;
  return list === undefined ? undefined : priceInList(lists, model, list, now);
}

/**
 * Returns the price in the first list with the model. A free model counts only where its name says so, since other free models are offers of
 * one provider.
 */
export function priceByName(lists: PriceList, model: string, now: Date): ModelPrice | undefined {
  for (const list of LISTS_BY_PREFERENCE) {
    const price = priceInList(lists, model, list, now);
    if (price !== undefined && (price.input !== "0" || price.output !== "0" || isFreeByName(model))) {
      return price;
    }
  }
  return undefined;
}

/** Returns the most tokens of prompt and answer together, from the first list with the model; undefined without. */
export function listedContextTokens(model: string): number | undefined {
  for (const list of LISTS_BY_PREFERENCE) {
    const known = priceListInUse().find(list, model)?.model.context_window;
    if (known !== undefined) return known;
  }
  return undefined;
}

function isFreeByName(model: string): boolean {
  return model.endsWith(":free") || /^(?:omni|text)-moderation-/.test(model);
}

function priceInList(lists: PriceList, model: string, list: string, now: Date): ModelPrice | undefined {
  const found = lists.find(list, model);
  if (found === undefined) return undefined;
  const price = priceInForce(found.model, `genai-prices ${found.provider}/${found.model.id}`, now);
  return price === undefined ? undefined : withAudio(price, model);
}

/**
 * Dollars per million audio tokens of models whose list has text prices only.
 * Source: https://developers.openai.com/api/docs/models/gpt-4o-audio-preview and …/gpt-4o-mini-audio-preview
 */
const audioPrices: readonly (readonly [model: RegExp, audio: { audioInput: Decimal; audioOutput: Decimal }])[] = [
  [/^gpt-4o-audio-preview-2024-10-01$/, { audioInput: "100", audioOutput: "200" }],
  [/^gpt-4o-audio-preview/, { audioInput: "40", audioOutput: "80" }],
  [/^gpt-4o-mini-audio-preview/, { audioInput: "10", audioOutput: "20" }],
];

function withAudio(price: ModelPrice, model: string): ModelPrice {
  const name = model.toLowerCase().replace(/^openai\//, "");
  const audio = audioPrices.find(([pattern]) => pattern.test(name))?.[1];
  return audio === undefined || price.audioInput !== undefined
    ? price
    : { ...price, ...audio, source: `${price.source}, audio by OpenAI's model page` };
}

/**
 * Returns the price on a day; undefined for prices by hour of audio or page. Without any price the model is free. The highest price of a day counts.
 */
function priceInForce(model: ListedModel["model"], source: string, now: Date): ModelPrice | undefined {
  const { prices, dependsOnHour } = listedOn(model, now);
  if (Object.keys(prices).length > 0 && prices.input_mtok === undefined) {
    const { audio_hours: hour, rerank_searches_kcount: thousand } = prices;
    if (hour !== undefined) return priceOfUnit("second", hour, SECONDS_PER_HOUR, source, dependsOnHour);
    return thousand === undefined ? undefined : priceOfUnit("search", thousand, "1000", source, dependsOnHour);
  }
  const steps = stepsOf(prices);
  return {
    ...pricesOf(prices, 0),
    ...(steps.length > 0 && { steps }),
    source,
    simplified: dependsOnHour ? ["dearest-hours"] : [],
  };
}

const TOKEN_PARTS = /_mtok$/;

function stepsOf(prices: ListedPrice): readonly PriceStep[] {
  const bounds = new Set<number>();
  for (const [name, part] of Object.entries(prices)) {
    if (typeof part === "object" && TOKEN_PARTS.test(name)) for (const { start } of part.tiers) bounds.add(start);
  }
  return [...bounds]
    .filter((above) => above > 0)
    .sort((left, right) => left - right)
    .map((above) => ({ above, ...pricesOf(prices, above + 1) }));
}

function pricesOf(prices: ListedPrice, promptTokens: number): TokenPrices {
  const priceOf = (name: string): Decimal | undefined => {
    const part = prices[name];
    if (part === undefined || typeof part === "number") return part === undefined ? undefined : decimalOf(part);
    const reached = part.tiers.filter(({ start }) => promptTokens > start);
    const last = reached.reduce((most, tier) => (tier.start >= most.start ? tier : most), {
      start: 0,
      price: part.base,
    });
    return decimalOf(last.price);
  };
  const optional = (field: keyof TokenPrices, name: string) => {
    const decimal = priceOf(name);
    return decimal === undefined ? {} : { [field]: decimal };
  };
  return {
    input: priceOf("input_mtok") ?? "0",
    output: priceOf("output_mtok") ?? "0",
    ...optional("cachedInput", "cache_read_mtok"),
    ...optional("cacheWrite", "cache_write_mtok"),
    ...optional("longCacheWrite", "cache_write_1h_mtok"),
    ...optional("audioInput", "input_audio_mtok"),
    ...optional("cachedAudio", "cache_audio_read_mtok"),
    ...optional("audioOutput", "output_audio_mtok"),
    ...optional("imageInput", "input_image_mtok"),
    ...optional("imageOutput", "output_image_mtok"),
    ...optional("reasoning", "output_reasoning_mtok"),
  };
}

/** Price per unit, expressed in tokens by the contract's `TOKENS_OF_UNIT`. */
function priceOfUnit(
  unit: NonNullable<ModelPrice["unit"]>,
  part: NonNullable<ListedPrice[string]>,
  amount: Decimal,
  source: string,
  dependsOnHour: boolean,
): ModelPrice {
  const price = pricePerMillion(unit, decimalOf(typeof part === "object" ? part.base : part), amount);
  return { unit, input: price, output: price, source, simplified: dependsOnHour ? ["dearest-hours"] : [] };
}

const SECONDS_PER_HOUR = "3600";

/** Returns the last price whose start date has passed; hourly prices after it replace it when they are higher. */
function listedOn(model: ListedModel["model"], now: Date): { prices: ListedPrice; dependsOnHour: boolean } {
  if (!Array.isArray(model.prices)) {
    return { prices: model.prices, dependsOnHour: false };
  }
  const today = now.toISOString().slice(0, 10);
  let prices: ListedPrice = {};
  let dependsOnHour = false;
  for (const { constraint, prices: candidate } of model.prices) {
    if (constraint?.type === "time_of_date") {
      dependsOnHour = true;
      prices = inputPrice(candidate) > inputPrice(prices) ? candidate : prices;
    } else if (constraint === undefined || constraint.start_date <= today) {
      prices = candidate;
      dependsOnHour = false;
    }
  }
  return { prices, dependsOnHour };
}

function inputPrice(prices: ListedPrice): number {
  const part = prices.input_mtok;
  return part === undefined ? 0 : typeof part === "number" ? part : part.base;
}
