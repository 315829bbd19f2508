import type * as bulkCalls from "@one-api/contract/channels/channel-bulk";
import type * as calls from "@one-api/contract/channels/channel";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { splitList } from "@one-api/contract/texts";
import type { z } from "zod";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { type Listed, orderedPageOf } from "../../core/lists/list-page.ts";
import type { ChannelCooldowns } from "./channel-dependencies.ts";
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

export function listChannels(
  context: CallContext,
  cooldowns: ChannelCooldowns,
  query: ListQuery,
): Promise<Listed<calls.Channel>> {
  return searchChannels(context, cooldowns, { ...query, keyword: "" });
}

/** One page of the channels with the id or a name that begins with the keyword; all of them without `size`. */
export async function searchChannels(
  context: CallContext,
  cooldowns: ChannelCooldowns,
  query: SearchQuery,
): Promise<Listed<calls.Channel>> {
  const { db } = context.database;
  const now = nowSeconds(context.clock);
  const filter = await planFilter(context, cooldowns, query, needsDormancy(query));
  const rows = await listChannelRows(db, filter, orderedPageOf(query));
  return {
    rows: rows.map((row) => presentChannel(row, cooldowns, now)),
    total: await countChannels(db, filter),
  };
}

export async function listMatchingChannelIds(
  context: CallContext,
  cooldowns: ChannelCooldowns,
  query: z.output<typeof bulkCalls.listChannelIds.query>,
): Promise<number[]> {
  const filter = await planFilter(context, cooldowns, query, query.status !== 0);
  return listMatchingIds(context.database.db, filter);
}

export async function listChannelTags({ database }: CallContext): Promise<{ tag: string; channels: number }[]> {
  const counts = new Map<string, number>();
  for (const tags of await listTags(database.db))
    for (const tag of splitList(tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .map(([tag, channels]) => ({ tag, channels }))
    .toSorted((left, right) => left.tag.localeCompare(right.tag));
}

/** Throws `channel-not-found`. */
export async function getChannel(
  context: CallContext,
  cooldowns: ChannelCooldowns,
  id: number,
): Promise<calls.Channel> {
  const row = await findChannel(context.database.db, id);
  if (row === undefined) throw channelNotFound(id);
  const channel = presentChannel(row, cooldowns, nowSeconds(context.clock));
  return row.provider_models === "" ? channel : { ...channel, provider_models: splitList(row.provider_models) };
}

async function planFilter(
  context: CallContext,
  cooldowns: ChannelCooldowns,
  { keyword, status, type, group, tag }: Pick<SearchQuery, "keyword" | "status" | "type" | "group" | "tag">,
  readsCooldowns: boolean,
): Promise<ChannelFilter> {
  const now = nowSeconds(context.clock);
  const dormantIds = readsCooldowns ? await listDormant(context, cooldowns, now) : [];
  return { keyword, status, type, group, tag, now, dormantIds };
}

function needsDormancy({ status, order }: Pick<SearchQuery, "status" | "order">): boolean {
  return order === "status" || status === CHANNEL_STATUS.enabled || status === CHANNEL_STATUS.dormant;
}

/** The database stores cooldowns of whole channels; those of models are in the relay's memory. */
async function listDormant({ database }: CallContext, cooldowns: ChannelCooldowns, now: number): Promise<number[]> {
  const coolingIds = cooldowns.coolingChannels();
  if (coolingIds.length === 0) return [];
  const rows = await listServedByEnabled(database.db, coolingIds);
  return rows.filter((row) => readDormancy(row, cooldowns, now).dormantUntil !== undefined).map(({ id }) => id);
}
