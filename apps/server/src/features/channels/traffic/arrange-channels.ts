import type { CHANNEL_GROUPINGS } from "@one-api/contract/channels/channel-groupings";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import type { ChannelDay, ChannelGroup } from "@one-api/contract/usage/channel-traffic";
import type { Direction } from "@one-api/contract/fields";
import { splitList } from "@one-api/contract/texts";
import type { ListPage } from "../../../core/lists/list-page.ts";
import type { Queryable } from "../../../core/transaction.ts";
import { readLastTest } from "../channel.present.ts";
import { type ChannelFilter, type ColumnOrder, listChannelFacts, listRowsOf } from "../channel-list.repository.ts";
import type { ChannelRow } from "../channel.repository.ts";
import { isTrafficOrder, rankChannels, type TrafficOrder } from "./rank-channels.ts";

type Grouping = (typeof CHANNEL_GROUPINGS)[number];

type ChannelFacts = Awaited<ReturnType<typeof listChannelFacts>>[number];

type Days = ReadonlyMap<number, ChannelDay>;

export interface Arrangement {
  readonly order: ColumnOrder | TrafficOrder;
  readonly direction?: Direction | undefined;
  readonly groupedBy: Grouping | "";
}

/** One page of the matching channels in an order that the database does not have: by traffic, or grouped. */
export async function listArrangedRows(
  queryable: Queryable,
  filter: ChannelFilter,
  { order, direction, groupedBy }: Arrangement,
  days: Days,
  { offset, limit }: ListPage,
): Promise<ChannelRow[]> {
  const ordered = isTrafficOrder(order)
    ? rankChannels((await listChannelFacts(queryable, filter, "default")).map(stateOf), days, order, direction)
    : await listChannelFacts(queryable, filter, order, direction);
  const arranged = groupedBy === "" ? ordered : [...groupBy(ordered, groupedBy).values()].flat();
  return listRowsOf(
    queryable,
    arranged.slice(offset, offset + limit).map(({ id }) => id),
  );
}

export async function listGroups(
  queryable: Queryable,
  filter: ChannelFilter,
  groupedBy: Grouping,
  days: Days,
): Promise<ChannelGroup[]> {
  const groups = groupBy(await listChannelFacts(queryable, filter, "default"), groupedBy);
  return [...groups].map(([name, channels]) => {
    const sums = { requests: 0, errors: 0, quota: 0 };
    for (const { id } of channels) {
      const day = days.get(id);
      sums.requests += day?.requests ?? 0;
      sums.errors += day?.errors ?? 0;
      sums.quota += day?.quota ?? 0;
    }
    const disabled = channels.filter(({ status }) => status === CHANNEL_STATUS.autoDisabled);
    return { name, channels: channels.length, auto_disabled: disabled.length, ...sums };
  });
}

function groupBy<Facts extends Pick<ChannelFacts, "type" | "tags">>(
  channels: readonly Facts[],
  groupedBy: Grouping,
): Map<string, Facts[]> {
  return Map.groupBy(channels, ({ type, tags }) => (groupedBy === "type" ? String(type) : (splitList(tags)[0] ?? "")));
}

function stateOf(facts: ChannelFacts) {
  const failure = readLastTest(facts.last_test)?.failure ?? "";
  return { ...facts, hasHint: facts.status_hint !== "", failedTest: failure !== "" };
}
