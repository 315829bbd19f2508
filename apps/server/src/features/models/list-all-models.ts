import {
  type ChannelType,
  type ChannelTypeInfo,
  channelTypeInfo,
  CHANNEL_TYPES,
  isChannelType,
} from "@one-api/contract/channel-types";
import type { Model } from "@one-api/contract/model";
import type { Queryable } from "../../core/transaction.ts";
import type { ModelCatalogue } from "./model-catalogue.ts";
import { modelsOfTypes } from "./models-of-types.ts";

/** When a model was created is nobody's knowledge; clients expect a number, and this is the one they know from One API. */
const CREATED = 1_626_777_600;
const OWNER_OF_OTHERS = "custom";

/** Every model that the gateway knows, once, by the order of the types; its owner is the first type that offers it itself. */
export async function listAllModels(queryable: Queryable, catalogue: ModelCatalogue): Promise<Model[]> {
  const owners = new Map<string, ChannelType>();
  for (const { type } of CHANNEL_TYPES.filter(offersItsOwn)) {
    if (!isChannelType(type)) continue;
    for (const model of catalogue.modelsOfType(type)) if (!owners.has(model)) owners.set(model, type);
  }
  const known = new Set(owners.keys());
  for (const models of (await modelsOfTypes(queryable, catalogue)).values())
    for (const model of models) known.add(model);
  return [...known].map((id) => describe(id, owners.get(id), catalogue));
}

function offersItsOwn(info: ChannelTypeInfo): boolean {
  return info.reseller !== true;
}

function describe(id: string, owner: ChannelType | undefined, catalogue: ModelCatalogue): Model {
  return {
    id,
    object: "model",
    created: CREATED,
    owned_by: owner === undefined ? OWNER_OF_OTHERS : (channelTypeInfo(owner)?.label ?? OWNER_OF_OTHERS),
    output_price: catalogue.outputPrice(id, owner) ?? null,
  };
}
