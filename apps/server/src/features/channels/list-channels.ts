import type * as bulkCalls from "@one-api/contract/channels/channel-bulk";
import type * as calls from "@one-api/contract/channels/channel";
import type { ChannelGroup, listChannelGroups as groupsCall } from "@one-api/contract/usage/channel-traffic";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { splitList } from "@one-api/contract/texts";
import type { z } from "zod";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { type Listed, pageOf } from "../../core/lists/list-page.ts";
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
import { type ChannelRow, findChannel } from "./channel.repository.ts";
import { readSecretStates } from "./keys/read-secret-states.ts";
import { listArrangedRows, listGroups } from "./traffic/arrange-channels.ts";
import { isTrafficOrder } from "./traffic/rank-channels.ts";
import { findDays, type ReadDayTraffic } from "./traffic/read-day-traffic.ts";

type ListQuery = z.output<typeof calls.listChannels.query>;
type SearchQuery = z.output<typeof calls.searchChannels.query>;

export interface ListingDependencies {
  readonly cooldowns: ChannelCooldowns;
  readonly readDay: ReadDayTraffic;
}

export function listChannels(
  context: CallContext,
  listing: ListingDependencies,
  query: ListQuery,
): Promise<Listed<calls.Channel>> {
  return searchChannels(context, listing, { ...query, keyword: "", also: "" });
}

/** One page of the channels that match the keyword and filters; all of them without `size`. */
export async function searchChannels(
  context: CallContext,
  listing: ListingDependencies,
  query: SearchQuery,
): Promise<Listed<calls.Channel>> {
  const { db } = context.database;
  const { cooldowns } = listing;
  const now = nowSeconds(context.clock);
  const filter = await planFilter(context, cooldowns, query, needsDormancy(query));
  const rows = await listPage(context, listing, filter, query);
  const ids = rows.map(({ id }) => id);
  const states = await readSecretStates(db, context.secrets, ids);
  return {
    rows: rows.map((row) => ({ ...presentChannel(row, cooldowns, now), ...states.get(row.id) })),
    total: await countChannels(db, filter),
  };
}

async function listPage(
  context: CallContext,
  { readDay }: ListingDependencies,
  filter: ChannelFilter,
  query: SearchQuery,
): Promise<ChannelRow[]> {
  const { db } = context.database;
  const { order, direction, grouped_by: groupedBy } = query;
  const page = pageOf(query);
  const isRanked = isTrafficOrder(order);
  if (!isRanked && groupedBy === "") return listChannelRows(db, filter, { ...page, order, direction });
  const days = isRanked ? await findDays(context, readDay) : new Map();
  return listArrangedRows(db, filter, { order, direction, groupedBy }, days, page);
}

export async function listChannelGroups(
  context: CallContext,
  { cooldowns, readDay }: ListingDependencies,
  query: z.output<typeof groupsCall.query>,
): Promise<ChannelGroup[]> {
  const filter = await planFilter(context, cooldowns, query, query.status !== 0);
  return listGroups(context.database.db, filter, query.grouped_by, await findDays(context, readDay));
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
  const states = await readSecretStates(context.database.db, context.secrets, [id]);
  const channel = { ...presentChannel(row, cooldowns, nowSeconds(context.clock)), ...states.get(id) };
  return row.provider_models === "" ? channel : { ...channel, provider_models: splitList(row.provider_models) };
}

async function planFilter(
  context: CallContext,
  cooldowns: ChannelCooldowns,
  {
    keyword,
    also,
    status,
    type,
    group,
    tag,
  }: Pick<SearchQuery, "keyword" | "also" | "status" | "type" | "group" | "tag">,
  readsCooldowns: boolean,
): Promise<ChannelFilter> {
  const now = nowSeconds(context.clock);
  const dormantIds = readsCooldowns ? await listDormant(context, cooldowns, now) : [];
  return { keyword, also, status, type, group, tag, now, dormantIds };
}

function needsDormancy({ status, order }: Pick<SearchQuery, "status" | "order">): boolean {
  return (
    order === "status" || order === "trouble" || status === CHANNEL_STATUS.enabled || status === CHANNEL_STATUS.dormant
  );
}

/** The database stores cooldowns of whole channels; those of models are in the relay's memory. */
async function listDormant({ database }: CallContext, cooldowns: ChannelCooldowns, now: number): Promise<number[]> {
  const coolingIds = cooldowns.coolingChannels();
  if (coolingIds.length === 0) return [];
  const rows = await listServedByEnabled(database.db, coolingIds);
  return rows.filter((row) => readDormancy(row, cooldowns, now).dormantUntil !== undefined).map(({ id }) => id);
}
