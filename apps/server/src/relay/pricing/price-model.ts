import type { ChannelType } from "@one-api/contract/channel-types";
import { defaultPrice } from "@one-api/providers/prices/default-price";
import { type ModelRatios, priceToRatios } from "@one-api/providers/prices/price-to-ratios";
import type { OptionStore, RatioTable } from "../../core/option-store.ts";
import { type Price, UNKNOWN_MODEL_RATIO } from "./price.ts";

/**
 * Returns what a model costs a group on a kind of channel: the options ModelRatio and CompletionRatio first (`name(type)` before
 * `name`), then the maintained price list, then the ratio for unknown models. A group without a ratio pays 1.
 */
export function priceModel(options: OptionStore, model: string, type: ChannelType, group: string): Price {
  const listed = listedRatios(model, type);
  const ownModelRatio = lookUp(options.ratios("ModelRatio"), model, type);
  const ownCompletionRatio = lookUp(options.ratios("CompletionRatio"), model, type);
  const completionRatio = ownCompletionRatio ?? Number(listed?.completionRatio ?? 1);
  return {
    modelRatio: ownModelRatio ?? Number(listed?.modelRatio ?? UNKNOWN_MODEL_RATIO),
    completionRatio,
    groupRatio: options.ratios("GroupRatio").get(group) ?? 1,
    cachedRatio: Number(listed?.cachedRatio ?? 1),
    cacheWriteRatio: Number(listed?.cacheWriteRatio ?? 1),
    audioRatio: Number(listed?.audioRatio ?? 1),
    audioCompletionRatio: ownCompletionRatio ?? Number(listed?.audioCompletionRatio ?? completionRatio),
    imageRatio: Number(listed?.imageRatio ?? 1),
    source: ownModelRatio !== undefined ? "option" : listed !== undefined ? "list" : "fallback",
  };
}

/** Model names as callers decorate them for one channel type, the way One API's tables write them. */
function lookUp(table: RatioTable, model: string, type: ChannelType): number | undefined {
  return table.get(`${model}(${type})`) ?? table.get(model);
}

function listedRatios(model: string, type: ChannelType): ModelRatios | undefined {
  const price = defaultPrice(model, type);
  return price === undefined ? undefined : priceToRatios(price);
}
