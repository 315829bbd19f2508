import { type ChannelType, CHANNEL_TYPES } from "@one-api/contract/channels/channel-types";
import type { PriceUnit } from "@one-api/contract/prices/price-unit";
import { actorIsAdmin } from "../../core/actor.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { listModelsServedTo } from "../channels/index.ts";
import { groupsOfUser } from "../users/index.ts";

/** What the maintained list says of a model. */
interface ListedRatios {
  /** What the price is of; absent: tokens. */
  readonly unit?: Exclude<PriceUnit, "token"> | undefined;
  readonly modelRatio: number;
  readonly completionRatio: number;
}

/** What the gateway knows of providers' models without asking them. */
export interface ModelCatalogue {
  /** Models that a new channel of the type is offered, today's first. */
  modelsOfType(type: ChannelType): readonly string[];
  /** Dollars per million output tokens at the type's provider, or by the name alone; undefined when unknown. */
  outputPrice(model: string, type: ChannelType | undefined): number | undefined;
  /** The ratios that the maintained list's price comes to; undefined for a model that it does not know. */
  listedRatios(model: string, type: ChannelType | undefined): ListedRatios | undefined;
}

/**
 * Model names by channel type. Administrators get each type's own list, for the channels that they may make of it; users get what the
 * enabled channels of each type serve to their groups.
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
