import { setImmediate as nextTurn } from "node:timers/promises";
import { CHANNEL_TYPES, type ChannelType, channelTypeInfo } from "@one-api/contract/channels/channel-types";
import { splitList } from "@one-api/contract/texts";
import type { ListedPrice } from "@one-api/contract/prices/pricing";
import type { Queryable } from "../../core/transaction.ts";
import { listServedModels } from "../channels/index.ts";
import type { ModelCatalogue } from "../models/index.ts";

/** The lookup of an unknown name takes milliseconds, so requests run in between. */
const MODELS_PER_SLICE = 5;

export interface KnownModel {
  readonly model: string;
  /** Type of the first channel that serves it, else the first type that offers it. */
  readonly type: ChannelType | undefined;
  readonly served: boolean;
}

export async function listKnownModels(queryable: Queryable, catalogue: ModelCatalogue): Promise<KnownModel[]> {
  const known = new Map<string, KnownModel>();
  const add = (models: readonly string[], type: ChannelType | undefined, served: boolean) => {
    for (const model of models) if (!known.has(model)) known.set(model, { model, type, served });
  };
  for (const { type, models } of await listServedModels(queryable))
    add(splitList(models), channelTypeInfo(type)?.type, true);
  for (const { type, reseller } of CHANNEL_TYPES) if (reseller !== true) add(catalogue.modelsOfType(type), type, false);
  return [...known.values()].sort((left, right) => (left.model < right.model ? -1 : 1));
}

export async function listListedPrices(queryable: Queryable, catalogue: ModelCatalogue): Promise<ListedPrice[]> {
  const prices: ListedPrice[] = [];
  for (const { model, type, served } of await listKnownModels(queryable, catalogue)) {
    if (prices.length % MODELS_PER_SLICE === 0) await nextTurn();
    const ratios = catalogue.listedRatios(model, type);
    const model_ratio = ratios?.modelRatio ?? null;
    const completion_ratio = ratios?.completionRatio ?? null;
    const unit = ratios?.unit;
    prices.push({ model, type: type ?? null, served, ...(unit && { unit }), model_ratio, completion_ratio });
  }
  return prices;
}
