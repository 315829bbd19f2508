import { type ListSearchState, type RawSearch, readListSearch, readViewSearch } from "../../lib/list/list-search.ts";
import { integerOf, textOf } from "../../lib/values/read-values.ts";

export interface UserFilters {
  readonly status?: number | undefined;
  readonly role?: number | undefined;
  readonly group?: string | undefined;
}

export function readUserFilters({ status, role, group }: RawSearch): UserFilters {
  return {
    status: integerOf(status, { least: 1, most: 2 }),
    role: integerOf(role, { least: 1, most: 100 }),
    group: textOf(group, { most: 64 }),
  };
}

export const readUserView = (search: RawSearch) => ({ ...readViewSearch(search), ...readUserFilters(search) });

export function readUserListSearch(search: RawSearch): ListSearchState & UserFilters {
  return { ...readListSearch(search), ...readUserFilters(search) };
}
