import { type ListSearchState, type RawSearch, readListSearch } from "../../lib/list/list-search.ts";
import { textOf } from "../../lib/values/read-values.ts";

export interface PricingFilters {
  /** Name of a kind of channel. */
  readonly provider?: string | undefined;
}

export function readPricingFilters({ provider }: RawSearch): PricingFilters {
  return { provider: textOf(provider, { most: 64 }) };
}

/** Reads the view state of the page, kept in its address. */
export function readPricingSearch(search: RawSearch): ListSearchState & PricingFilters {
  return { ...readListSearch(search), ...readPricingFilters(search) };
}
