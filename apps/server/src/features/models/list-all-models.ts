import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { type ChannelType, channelTypeInfo, CHANNEL_TYPES } from "@one-api/contract/channels/channel-types";
import { splitList } from "@one-api/contract/texts";
import type { Model } from "@one-api/contract/prices/model";
import type { Queryable } from "../../core/transaction.ts";
import { listServedModels } from "../channels/index.ts";
import type { ModelCatalogue } from "./list-models-of-types.ts";

/** The real date is unknown; clients expect a number, and One API sends this one. */
const CREATED = 1_626_777_600;
const OWNER_OF_OTHERS = "custom";

/** Every model that the gateway knows or a channel serves. The owner is the first type that offers the model itself. */
export async function listAllModels(queryable: Queryable, catalogue: ModelCatalogue): Promise<Model[]> {
  const owners = new Map<string, ChannelType>();
  for (const { type, reseller } of CHANNEL_TYPES) {
    if (reseller === true) continue;
    for (const model of catalogue.modelsOfType(type)) if (!owners.has(model)) owners.set(model, type);
  }
  const served = await listServedModels(queryable);
  const serving = new Map<string, number>();
  for (const { models, status } of served) {
    const isEnabled = status === CHANNEL_STATUS.enabled;
    for (const model of new Set(splitList(models))) serving.set(model, (serving.get(model) ?? 0) + Number(isEnabled));
  }
  const known = new Set([...owners.keys(), ...serving.keys()]);
  return [...known].map((id) => describe(id, owners.get(id), serving.get(id) ?? 0, catalogue));
}

function describe(id: string, owner: ChannelType | undefined, channels: number, catalogue: ModelCatalogue): Model {
  const prices = catalogue.tokenPrices(id, owner);
  return {
    id,
    object: "model",
    created: CREATED,
    owned_by: owner === undefined ? OWNER_OF_OTHERS : (channelTypeInfo(owner)?.label ?? OWNER_OF_OTHERS),
    input_price: prices?.input ?? null,
    output_price: prices?.output ?? null,
    channels,
  };
}
