import type * as bulkCalls from "@one-api/contract/channels/channel-bulk";
import type * as calls from "@one-api/contract/channels/channel";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel";
import { splitList } from "@one-api/contract/fields";
import type { z } from "zod";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { type Listed, orderedPageOf } from "../../core/lists/list-page.ts";
import type { ChannelSleep } from "./channel-dependencies.ts";
import { channelNotFound } from "./channel.policy.ts";
import { presentChannel, readDormancy } from "./channel.present.ts";
import {
  type ChannelFilter,
  countChannels,
  listChannelRows,
  listMatchingIds,
  listServedByEnabled,
  listTags,
} from "./channel-list.repository.ts";
import { findChannel } from "./channel.repository.ts";

type ListQuery = z.output<typeof calls.listChannels.query>;
type SearchQuery = z.output<typeof calls.searchChannels.query>;

/** One page of the channels. */
export function listChannels(
  context: CallContext,
  sleep: ChannelSleep,
  query: ListQuery,
): Promise<Listed<calls.Channel>> {
  return searchChannels(context, sleep, { ...query, keyword: "" });
}

/** One page of the channels with that id or with a name that begins with the keyword; without `size` all of them. */
export async function searchChannels(
  context: CallContext,
  sleep: ChannelSleep,
  query: SearchQuery,
): Promise<Listed<calls.Channel>> {
  const { db } = context.database;
  const now = nowSeconds(context.clock);
  const filter = await planFilter(context, sleep, query, needsDormancy(query));
  const rows = await listChannelRows(db, filter, orderedPageOf(query));
  return {
    rows: rows.map((row) => presentChannel(row, sleep, now)),
    total: await countChannels(db, filter),
  };
}

/** Ids of all channels that a search leaves, newest first. */
export async function listMatchingChannelIds(
  context: CallContext,
  sleep: ChannelSleep,
  query: z.output<typeof bulkCalls.listChannelIds.query>,
): Promise<number[]> {
  const filter = await planFilter(context, sleep, query, query.status !== 0);
  return listMatchingIds(context.database.db, filter);
}

/** The tags of all channels by name, with how many have each. */
export async function listChannelTags({ database }: CallContext): Promise<{ tag: string; channels: number }[]> {
  const counts = new Map<string, number>();
  for (const tags of await listTags(database.db))
    for (const tag of splitList(tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .map(([tag, channels]) => ({ tag, channels }))
    .toSorted((left, right) => left.tag.localeCompare(right.tag));
}

/** One channel. Throws `channel-not-found`. */
export async function getChannel(context: CallContext, sleep: ChannelSleep, id: number): Promise<calls.Channel> {
  const row = await findChannel(context.database.db, id);
  if (row === undefined) throw channelNotFound(id);
  const channel = presentChannel(row, sleep, nowSeconds(context.clock));
  return row.provider_models === "" ? channel : { ...channel, provider_models: splitList(row.provider_models) };
}

async function planFilter(
  context: CallContext,
  sleep: ChannelSleep,
  { keyword, status, type, group, tag }: Pick<SearchQuery, "keyword" | "status" | "type" | "group" | "tag">,
  looksAtSleep: boolean,
): Promise<ChannelFilter> {
  const now = nowSeconds(context.clock);
  const dormantIds = looksAtSleep ? await listDormant(context, sleep, now) : [];
  return { keyword, status, type, group, tag, now, dormantIds };
}

function needsDormancy({ status, order }: Pick<SearchQuery, "status" | "order">): boolean {
  return order === "status" || status === CHANNEL_STATUS.enabled || status === CHANNEL_STATUS.dormant;
}

/** The database knows which accounts sleep, only the relay which models do. */
async function listDormant({ database }: CallContext, sleep: ChannelSleep, now: number): Promise<number[]> {
  const sleeping = sleep.sleepingChannels();
  if (sleeping.length === 0) return [];
  const rows = await listServedByEnabled(database.db, sleeping);
  return rows.filter((row) => readDormancy(row, sleep, now).awakeTime !== undefined).map(({ id }) => id);
}
