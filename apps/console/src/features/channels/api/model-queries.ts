import { listAllModels, listModelsOfTypes } from "@one-api/contract/model";
import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { callApi } from "../../../lib/api-client.ts";
import { readStoredJson, writeStored } from "../../../lib/local-storage.ts";
import { STORAGE_KEY } from "../../../lib/storage-keys.ts";

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
