import { getChannel, listChannelShares } from "@one-api/contract/channel";
import { listAllModels, listModelsOfTypes } from "@one-api/contract/model";
import { listGroups } from "@one-api/contract/user";
import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { callApi } from "../../lib/api-client.ts";
import { readStoredJson, writeStored } from "../../lib/local-storage.ts";
import { STORAGE_KEY } from "../../lib/storage-keys.ts";

/** Everything that is loaded about channels. */
export const CHANNELS_KEY = ["channels"] as const;

/** Every loaded list of channels. */
export const CHANNEL_LIST_KEY = ["channels", "list"] as const;

/** One channel, loaded anew for every form. */
export function channelQuery(id: number) {
  return queryOptions({
    queryKey: ["channels", "one", id],
    queryFn: ({ signal }) => callApi(getChannel, { params: { id }, signal }),
    gcTime: 0,
    meta: { quiet: true },
  });
}

/** Who gets the requests for a model in a group right now. */
export function channelSharesQuery(model: string, group: string) {
  return queryOptions({
    queryKey: ["channels", "shares", { model, group }],
    queryFn: ({ signal }) => callApi(listChannelShares, { query: { model, group }, signal }),
    enabled: model !== "",
    meta: { quiet: true },
  });
}

/** Names of the user groups. */
export const groupsQuery = queryOptions({
  queryKey: ["groups", "list"],
  queryFn: ({ signal }) => callApi(listGroups, { signal }),
});

const modelsOfTypesSchema = z.record(z.string(), z.array(z.string()));

function storedModelsOfTypes() {
  return modelsOfTypesSchema.safeParse(readStoredJson(STORAGE_KEY.channelModels)).data;
}

/** Model names by the number of the channel type; what the browser remembers stands until the answer is there. */
export const modelsOfTypesQuery = queryOptions({
  queryKey: ["models", "of-types"],
  queryFn: async ({ signal }) => {
    const models = await callApi(listModelsOfTypes, { signal });
    writeStored(STORAGE_KEY.channelModels, JSON.stringify(models));
    return models;
  },
  placeholderData: storedModelsOfTypes,
});

/** Every model that the gateway knows, with its price. */
export const allModelsQuery = queryOptions({
  queryKey: ["models", "all"],
  queryFn: ({ signal }) => callApi(listAllModels, { signal }),
});
