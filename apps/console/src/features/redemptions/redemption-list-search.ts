import { type ListSearchState, type RawSearch, readListSearch, readViewSearch } from "../../lib/list/list-search.ts";
import { integerOf } from "../../lib/values/read-values.ts";

export interface RedemptionFilters {
  readonly status?: number | undefined;
}

export function readRedemptionFilters({ status }: RawSearch): RedemptionFilters {
  return { status: integerOf(status, { least: 1, most: 3 }) };
}

export const readRedemptionView = (search: RawSearch) => ({
  ...readViewSearch(search),
  ...readRedemptionFilters(search),
});

export function readRedemptionListSearch(search: RawSearch): ListSearchState & RedemptionFilters {
  return { ...readListSearch(search), ...readRedemptionFilters(search) };
}
