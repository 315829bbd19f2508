import { type ListSearchState, type RawSearch, readListSearch } from "../../lib/list/list-search.ts";
import { integerOf } from "../../lib/values/read-values.ts";

/** `status` is the position in the contract's states; absent for all. */
export interface InvitationFilters {
  readonly state?: number | undefined;
}

export function readInvitationFilters({ state }: RawSearch): InvitationFilters {
  return { state: integerOf(state, { least: 1, most: 3 }) };
}

/** Reads the view state of the page, kept in its address. */
export function readInvitationListSearch(search: RawSearch): ListSearchState & InvitationFilters {
  return { ...readListSearch(search), ...readInvitationFilters(search) };
}
