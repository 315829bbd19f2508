import { getLogStat } from "@one-api/contract/log";
import {
  getUser,
  listTokensOfUser,
  listUsers,
  type ManagedUser,
  searchUsers,
  USER_ORDERS,
} from "@one-api/contract/user-management";
import { queryOptions } from "@tanstack/react-query";
import { callApi, callApiList } from "../../lib/api/api-client.ts";
import { useListRows } from "../../lib/list/use-list-rows.ts";
import type { ListSearch } from "../../lib/list/use-list-search.ts";
import type { UserFilters } from "./user-list-search.ts";

/** Everything that is loaded about users, the own one included. */
export const USERS_KEY = ["users"] as const;

/** Every loaded list of users. */
export const USER_LIST_KEY = ["users", "list"] as const;

/** The page of the users that the address names. */
export function useUsers(search: ListSearch, filters: UserFilters) {
  return useListRows<ManagedUser>({
    queryKey: [...USER_LIST_KEY, filters],
    search,
    orders: USER_ORDERS,
    fetchPage: (query, signal) => callApiList(listUsers, { query: { ...query, ...filters }, signal }),
    searchRows: (query, signal) => callApiList(searchUsers, { query: { ...query, ...filters }, signal }),
  });
}

/** One user, loaded anew for every form. */
export function userQuery(id: number) {
  return queryOptions({
    queryKey: ["users", "one", id],
    queryFn: ({ signal }) => callApi(getUser, { params: { id }, signal }),
    gcTime: 0,
    meta: { quiet: true },
  });
}

/** Most tokens that the sheet of a user shows. */
export const TOKENS_SHOWN = 50;

/** The newest tokens of a user. */
export function tokensOfUserQuery(id: number) {
  return queryOptions({
    queryKey: ["users", "tokens", id],
    queryFn: ({ signal }) => callApiList(listTokensOfUser, { params: { id }, query: { size: TOKENS_SHOWN }, signal }),
    meta: { quiet: true },
  });
}

const MONTH_SECONDS = 30 * 24 * 3_600;

/** What a user has spent in the last 30 days. */
export function spentByUserQuery(username: string) {
  return queryOptions({
    queryKey: ["users", "spent", username],
    queryFn: ({ signal }) => {
      const start_timestamp = Math.floor(Date.now() / 1_000) - MONTH_SECONDS;
      return callApi(getLogStat, { query: { username, start_timestamp }, signal });
    },
    meta: { quiet: true },
  });
}
