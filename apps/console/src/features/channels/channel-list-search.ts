import { type ListSearchState, type RawSearch, readListSearch, readViewSearch } from "../../lib/list/list-search.ts";
import { CHANNEL_GROUPINGS } from "@one-api/contract/channels/channel-groupings";
import { choiceOf, integerOf, textOf } from "../../lib/values/read-values.ts";

export interface ChannelFilters {
  readonly status?: number | undefined;
  readonly type?: number | undefined;
  readonly group?: string | undefined;
  readonly tag?: string | undefined;
}

export function readChannelFilters({ status, type, group, tag }: RawSearch): ChannelFilters {
  return {
    status: integerOf(status, { least: 1, most: 5 }),
    type: integerOf(type, { least: 1 }),
    group: textOf(group),
    tag: textOf(tag),
  };
}

export type ChannelGrouping = (typeof CHANNEL_GROUPINGS)[number];

interface Grouped {
  readonly grouped?: ChannelGrouping | undefined;
}

/** Undefined for no groups. */
export const readGrouping = ({ grouped }: RawSearch): ChannelGrouping | undefined =>
  choiceOf(grouped, CHANNEL_GROUPINGS);

export const readChannelView = (search: RawSearch) => ({
  ...readViewSearch(search),
  ...readChannelFilters(search),
  grouped: readGrouping(search),
});

export function readChannelListSearch(search: RawSearch): ListSearchState & ChannelFilters & Grouped {
  return { ...readListSearch(search), ...readChannelFilters(search), grouped: readGrouping(search) };
}
