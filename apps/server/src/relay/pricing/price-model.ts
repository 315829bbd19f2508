import type { ChannelCosts } from "@one-api/contract/channel-json";
import type { ChannelType } from "@one-api/contract/channel-types";
import { UNKNOWN_MODEL_RATIO } from "@one-api/contract/ratios";
import { defaultPrice } from "@one-api/providers/prices/default-price";
import { type ModelRatios, priceToRatios } from "@one-api/providers/prices/price-to-ratios";
import type { OptionStore, RatioTable } from "../../core/option-store.ts";

/**
 * What a model costs in a group, as ratios. Ratio 1 is $0.002 per 1,000 input tokens, which is 1 quota a token at 500,000 quota to the dollar.
 * The other ratios are relative to the input price.
 */
export interface Price {
  readonly modelRatio: number;
  readonly completionRatio: number;
  readonly groupRatio: number;
  readonly cachedRatio: number;
  readonly cacheWriteRatio: number;
  readonly longCacheWriteRatio: number;
  readonly audioRatio: number;
  readonly cachedAudioRatio: number;
  readonly audioCompletionRatio: number;
  readonly imageRatio: number;
  readonly reasoningRatio: number;
  /** Where the model ratio comes from: `option`, `list` (the maintained price list) or `fallback` (the model is in neither). */
  readonly source: "option" | "list" | "fallback";
}

/** What an hour in the cache costs to five minutes, where the list has one price: https://docs.anthropic.com/en/docs/about-claude/pricing */
const LONG_CACHE_FACTOR = 1.6;

/**
 * Returns what a model costs a group on a kind of channel: the options ModelRatio and CompletionRatio first (`name(type)` before
 * `name`), then the maintained price list, then the ratio for unknown models. A group without a ratio pays 1.
 */
export function priceModel(
  options: Pick<OptionStore, "ratios">,
  model: string,
  type: ChannelType,
  group: string,
): Price {
  const ownModelRatio = lookUp(options.ratios("ModelRatio"), model, type);
  const listed = listedRatios(model, type);
  return {
    ...toPrice(listed, {
      modelRatio: ownModelRatio,
      completionRatio: lookUp(options.ratios("CompletionRatio"), model, type),
    }),
    groupRatio: options.ratios("GroupRatio").get(group) ?? 1,
    source: ownModelRatio !== undefined ? "option" : listed !== undefined ? "list" : "fallback",
  };
}

/** Ratios that go before those of the list. */
interface OwnRatios {
  readonly modelRatio: number | undefined;
  readonly completionRatio: number | undefined;
}

function toPrice(listed: ModelRatios | undefined, own: OwnRatios): Omit<Price, "groupRatio" | "source"> {
  const completionRatio = own.completionRatio ?? Number(listed?.completionRatio ?? 1);
  const audioRatio = Number(listed?.audioRatio ?? 1);
  const cacheWriteRatio = Number(listed?.cacheWriteRatio ?? 1);
  return {
    modelRatio: own.modelRatio ?? Number(listed?.modelRatio ?? UNKNOWN_MODEL_RATIO),
    completionRatio,
    cachedRatio: Number(listed?.cachedRatio ?? 1),
    cacheWriteRatio,
    longCacheWriteRatio: Number(listed?.longCacheWriteRatio ?? cacheWriteRatio * LONG_CACHE_FACTOR),
    audioRatio,
    cachedAudioRatio: Number(listed?.cachedAudioRatio ?? audioRatio),
    audioCompletionRatio: Number(listed?.audioCompletionRatio ?? completionRatio),
    imageRatio: Number(listed?.imageRatio ?? 1),
    reasoningRatio: own.completionRatio ?? Number(listed?.reasoningRatio ?? completionRatio),
  };
}

/** Dollars per million input tokens at ratio 1. */
const DOLLARS_AT_RATIO_ONE = 2;

/**
 * Returns what a model costs the operator on a channel: the channel's own price, else the maintained list's; undefined where neither knows it.
 * Options say what callers pay and play no part; a factor of the list's price stands in the place of the group's ratio.
 */
export function costOfModel(model: string, type: ChannelType, costs: ChannelCosts): Price | undefined {
  const listed = listedRatios(model, type);
  const own = Object.hasOwn(costs, model) ? costs[model] : costs["*"];
  if (own !== undefined && "input" in own) {
    const { input, output } = own;
    const ratios = { modelRatio: input / DOLLARS_AT_RATIO_ONE, completionRatio: input === 0 ? 1 : output / input };
    return { ...toPrice(listed, ratios), groupRatio: 1, source: "option" };
  }
  if (listed === undefined) return undefined;
  const none = { modelRatio: undefined, completionRatio: undefined };
  return { ...toPrice(listed, none), groupRatio: own?.factor ?? 1, source: "list" };
}

/** Model names as callers decorate them for one channel type, the way One API's tables write them. */
function lookUp(table: RatioTable, model: string, type: ChannelType): number | undefined {
  return table.get(`${model}(${type})`) ?? table.get(model);
}

function listedRatios(model: string, type: ChannelType): ModelRatios | undefined {
  const price = defaultPrice(model, type);
  return price === undefined ? undefined : priceToRatios(price);
}
