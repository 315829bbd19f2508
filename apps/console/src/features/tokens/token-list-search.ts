import { type ListSearchState, type RawSearch, readListSearch, readViewSearch } from "../../lib/list/list-search.ts";
import { integerOf } from "../../lib/values/read-values.ts";

export interface TokenFilters {
  readonly status?: number | undefined;
}

export function readTokenFilters({ status }: RawSearch): TokenFilters {
  return { status: integerOf(status, { least: 1, most: 4 }) };
}

export const readTokenView = (search: RawSearch) => ({ ...readViewSearch(search), ...readTokenFilters(search) });

export function readTokenListSearch(search: RawSearch): ListSearchState & TokenFilters {
  return { ...readListSearch(search), ...readTokenFilters(search) };
}
