import { CHANNEL_TYPES, isChannelType } from "@one-api/contract/channel-types";
import { splitList } from "@one-api/contract/fields";
import type { Queryable } from "../../core/transaction.ts";
import { listServedModels } from "../channels/index.ts";
import type { ModelCatalogue } from "./model-catalogue.ts";

/** The models of each channel type, by its number: those of the catalogue, then others that stored channels of the type serve. */
export async function modelsOfTypes(
  queryable: Queryable,
  catalogue: ModelCatalogue,
): Promise<Map<number, Set<string>>> {
  const ofTypes = new Map<number, Set<string>>();
  for (const { type } of CHANNEL_TYPES) {
    ofTypes.set(type, new Set(isChannelType(type) ? catalogue.modelsOfType(type) : []));
  }
  for (const { type, models } of await listServedModels(queryable)) {
    for (const model of splitList(models)) ofTypes.get(type)?.add(model);
  }
  return ofTypes;
}
