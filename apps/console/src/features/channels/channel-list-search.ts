import { type ListSearchState, type RawSearch, readListSearch, readViewSearch } from "../../lib/list/list-search.ts";
import { integerOf, textOf } from "../../lib/values/read-values.ts";

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

/** Reads what a saved view keeps of an address. */
export const readChannelView = (search: RawSearch) => ({ ...readViewSearch(search), ...readChannelFilters(search) });

/** Reads the view state of the page, kept in its address. */
export function readChannelListSearch(search: RawSearch): ListSearchState & ChannelFilters {
  return { ...readListSearch(search), ...readChannelFilters(search) };
}
