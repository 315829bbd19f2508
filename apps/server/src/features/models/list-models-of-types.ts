import { type ChannelType, CHANNEL_TYPES } from "@one-api/contract/channels/channel-types";
import type { PriceUnit } from "@one-api/contract/prices/price-unit";
import { actorIsAdmin } from "../../core/actor.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { listModelsServedTo } from "../channels/index.ts";
import { groupsOfUser } from "../../core/actor.ts";

interface ListedRatios {
  readonly unit?: Exclude<PriceUnit, "token"> | undefined;
  readonly modelRatio: number;
  readonly completionRatio: number;
}

interface TokenPrices {
  readonly input: number;
  readonly output: number;
}

export interface ModelCatalogue {
  modelsOfType(type: ChannelType): readonly string[];
  /** Dollars per million tokens; undefined for models without a price, or with one for another unit. */
  tokenPrices(model: string, type: ChannelType | undefined): TokenPrices | undefined;
  listedRatios(model: string, type: ChannelType | undefined): ListedRatios | undefined;
}

/**
 * Model names by channel type. Administrators get each type's own list; users get the models served to their
 * groups.
 */
export async function listModelsOfTypes(
  context: CallContext,
  catalogue: ModelCatalogue,
): Promise<Record<string, string[]>> {
  const actor = requireActor(context);
  if (actorIsAdmin(actor)) {
    return Object.fromEntries(CHANNEL_TYPES.map(({ type }) => [String(type), [...catalogue.modelsOfType(type)]]));
  }
  const ofTypes: Record<string, string[]> = {};
  for (const { type, model } of await listModelsServedTo(context.database.db, groupsOfUser(actor.group))) {
    (ofTypes[type] ??= []).push(model);
  }
  return ofTypes;
}
