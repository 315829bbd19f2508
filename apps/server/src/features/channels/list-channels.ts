import type { Channel } from "@one-api/contract/channel";
import type { CallContext } from "../../core/call-context.ts";
import type { ChannelSleep } from "./channel-dependencies.ts";
import { channelNotFound } from "./channel.policy.ts";
import { presentChannel } from "./channel.present.ts";
import { countChannels, findChannel, listChannelRows, searchChannelRows } from "./channel.repository.ts";

/** Channels, and how many there are in all. */
export interface ChannelList {
  readonly channels: Channel[];
  readonly total: number;
}

/** One page of the channels, newest first. `page` counts from 0. */
export async function listChannels({ database }: CallContext, sleep: ChannelSleep, page: number): Promise<ChannelList> {
  const [rows, total] = [await listChannelRows(database.db, page), await countChannels(database.db, "")];
  return { channels: rows.map((row) => presentChannel(row, sleep)), total };
}

/** The channels with that id or with a name that begins with the keyword. */
export async function searchChannels(
  { database }: CallContext,
  sleep: ChannelSleep,
  keyword: string,
): Promise<ChannelList> {
  const [rows, total] = [await searchChannelRows(database.db, keyword), await countChannels(database.db, keyword)];
  return { channels: rows.map((row) => presentChannel(row, sleep)), total };
}

/** One channel. Throws `not-found`. */
export async function getChannel({ database }: CallContext, sleep: ChannelSleep, id: number): Promise<Channel> {
  const row = await findChannel(database.db, id);
  if (row === undefined) throw channelNotFound();
  return presentChannel(row, sleep);
}
