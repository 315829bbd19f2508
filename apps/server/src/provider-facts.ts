import type { ChannelType } from "@one-api/contract/channel-types";
import { chatParameters } from "@one-api/providers/models/chat-parameters";
import { maxOutputTokens } from "@one-api/providers/models/max-output-tokens";
import { modelsOfType } from "@one-api/providers/models/models-of-type";
import { defaultPrice } from "@one-api/providers/prices/default-price";
import { priceToRatios } from "@one-api/providers/prices/price-to-ratios";
import { providerOf } from "@one-api/providers/registry";
import type { BalanceQuery, ModelListQuery } from "./features/channels/index.ts";
import type { ModelCatalogue } from "./features/models/index.ts";
import type { ChatFacts } from "./features/playground/index.ts";

/** What features are told of providers, so that they need not know the registry. */
export const modelCatalogue: ModelCatalogue = {
  modelsOfType,
  outputPrice(model, type) {
    const price = defaultPrice(model, type);
    return price === undefined ? undefined : Number(price.output);
  },
  listedRatios(model, type) {
    const price = defaultPrice(model, type);
    const ratios = price === undefined ? undefined : priceToRatios(price);
    if (ratios === undefined) return undefined;
    return { modelRatio: Number(ratios.modelRatio), completionRatio: Number(ratios.completionRatio) };
  },
};

/** What the playground is told of models. */
export const chatFacts: ChatFacts = { chatParameters, maxOutputTokens };

/** The question for a channel's balance; undefined when its provider has none. */
export function balanceQueryOf(type: ChannelType): BalanceQuery | undefined {
  return providerOf(type)?.balance;
}

/** The question for the models of a channel's account; undefined when its provider has none. */
export function modelListOf(type: ChannelType): ModelListQuery | undefined {
  return providerOf(type)?.listModels;
}
