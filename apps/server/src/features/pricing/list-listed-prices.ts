import { CHANNEL_TYPES, type ChannelType, channelTypeInfo } from "@one-api/contract/channel-types";
import { splitList } from "@one-api/contract/fields";
import type { ListedPrice } from "@one-api/contract/pricing";
import type { Queryable } from "../../core/transaction.ts";
import { listServedModels } from "../channels/index.ts";
import type { ModelCatalogue } from "../models/index.ts";

/**
 * The ratios of the maintained list for every model that a stored channel serves or a new one is offered, each once, sorted by name. The price
 * is that of the first channel that serves it, else of the first kind that offers it.
 */
export async function listListedPrices(queryable: Queryable, catalogue: ModelCatalogue): Promise<ListedPrice[]> {
  const prices = new Map<string, ListedPrice>();
  const add = (model: string, type: ChannelType | undefined, served: boolean) => {
    if (prices.has(model)) return;
    const ratios = catalogue.listedRatios(model, type);
    const model_ratio = ratios?.modelRatio ?? null;
    const completion_ratio = ratios?.completionRatio ?? null;
    prices.set(model, { model, type: type ?? null, served, model_ratio, completion_ratio });
  };
  for (const { type, models } of await listServedModels(queryable))
    for (const model of splitList(models)) add(model, channelTypeInfo(type)?.type, true);
  for (const { type, reseller } of CHANNEL_TYPES) {
    if (reseller === true) continue;
    for (const model of catalogue.modelsOfType(type)) add(model, type, false);
  }
  return [...prices.values()].sort((left, right) => (left.model < right.model ? -1 : 1));
}
