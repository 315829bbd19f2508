import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { chatParameters } from "@one-api/providers/model-facts/chat-parameters";
import { maxOutputTokens } from "@one-api/providers/model-facts/max-output-tokens";
import { startOf } from "@one-api/contract/prices/model-prices";
import { modelsOfType } from "@one-api/providers/models/models-of-type";
import { VENDOR_STARTS } from "@one-api/providers/prices/vendor-price";
import { defaultPrice, priceAt } from "@one-api/providers/prices/default-price";
import { BUILT_IN_PRICE_LIST, type PriceList, usePriceList } from "@one-api/providers/prices/price-list";
import { dollarsOfPrice } from "@one-api/providers/prices/named-price";
import { readPriceList } from "@one-api/providers/prices/read-price-list";
import { priceToRatios } from "@one-api/providers/prices/price-to-ratios";
import { UncallableChannelError } from "@one-api/providers/failure";
import type { ProviderIo } from "@one-api/providers/provider-io";
import { providerOf } from "@one-api/providers/registry";
import type { BalanceQuery, ChannelForRelay, ModelListQuery } from "./features/channels/index.ts";
import type { ModelCatalogue } from "./features/models/index.ts";
import type { ChatFacts } from "./features/playground/index.ts";
import type { PriceListReader, ReadableList } from "./features/pricing/index.ts";

export const modelCatalogue: ModelCatalogue = {
  modelsOfType,
  tokenPrices(model, type) {
    const price = defaultPrice(model, type);
    if (price === undefined || price.unit !== undefined) return undefined;
    return { input: Number(price.input), output: Number(price.output) };
  },
  listedRatios(model, type) {
    const price = defaultPrice(model, type);
    const ratios = price === undefined ? undefined : priceToRatios(price);
    if (ratios === undefined) return undefined;
    const { modelRatio, completionRatio } = ratios;
    return { unit: price?.unit, modelRatio: Number(modelRatio), completionRatio: Number(completionRatio) };
  },
};

export const priceListReader: PriceListReader = {
  builtIn: readable(BUILT_IN_PRICE_LIST),
  async read(json) {
    const { list, data } = await readPriceList(json);
    return { list: readable(list), data };
  },
};

function readable(list: PriceList): ReadableList {
  return {
    modelCount: list.modelCount,
    starts: [
      ...new Set([
        ...list.startDays.map((day) => Date.parse(day)),
        ...[...list.names.values()].flat().map(startOf),
        ...VENDOR_STARTS,
      ]),
    ],
    priceOf(model, type) {
      const price = priceAt(list, model, type, new Date());
      return price && dollarsOfPrice(price);
    },
    use: () => usePriceList(list),
  };
}

export const chatFacts: ChatFacts = { chatParameters, maxOutputTokens };

/** Undefined for providers without a balance. */
export function balanceQueryOf(type: ChannelType): BalanceQuery | undefined {
  return providerOf(type)?.balance;
}

/** Returns the addresses of a channel's keys, of a provider whose address depends on the account's region. */
export function regionalAddressesOf({ type, connection, keys }: ChannelForRelay): readonly string[] {
  const addressOf = providerOf(type)?.regionalAddress;
  if (addressOf === undefined) return [];
  const connections = keys?.map(({ key }) => ({ ...connection, key })) ?? [connection];
  return connections.flatMap((one) => {
    try {
      return [addressOf(one)];
    } catch (error) {
      if (error instanceof UncallableChannelError) return [];
      throw error;
    }
  });
}

/** Undefined for providers without a list of models. */
export function modelListOf(type: ChannelType, io: ProviderIo): ModelListQuery | undefined {
  const listModels = providerOf(type)?.listModels;
  return listModels && ((connection, getJson) => listModels(connection, getJson, io));
}
