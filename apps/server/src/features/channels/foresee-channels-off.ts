import { type ChannelEffect, MOST_NAMED_MODELS } from "@one-api/contract/channels/channel-effect";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { askLog } from "../logs/index.ts";
import { listModelsServedBesides, listModelsServedOnlyBy } from "./channel-models.repository.ts";
import { unlessRefused } from "./traffic/read-day-traffic.ts";

const DAY_SECONDS = 86_400;

/** Effect of disabling or deleting the channels: models without another channel, and their users of the last 24 hours. */
export async function foreseeChannelsOff(context: CallContext, ids: readonly number[]): Promise<ChannelEffect> {
  const pairs = await listModelsServedOnlyBy(context.database.db, ids);
  const groupsOf = Map.groupBy(pairs, ({ model }) => model);
  const models = [...groupsOf.keys()];
  const named = models.slice(0, MOST_NAMED_MODELS);
  const besides = await listModelsServedBesides(context.database.db, ids, named);
  return {
    lost: models.length,
    models: named.map((model) => ({
      model,
      groups: groupsOf.get(model)?.map(({ group }) => group) ?? [],
      is_partly: besides.has(model),
    })),
    users: models.length === 0 ? 0 : await countUsers(context, ids, models),
  };
}

function countUsers(
  context: CallContext,
  channelIds: readonly number[],
  models: readonly string[],
): Promise<number | null> {
  const since = nowSeconds(context.clock) - DAY_SECONDS;
  const asked = askLog(context, { kind: "users", channelIds, models, since });
  return unlessRefused(
    asked.then(({ answer }) => answer),
    null,
  );
}
