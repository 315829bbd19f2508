import type { ManagedUser } from "@one-api/contract/accounts/user-management";
import { USER_ORDERS } from "@one-api/contract/accounts/user-constants";
import { queryOptions } from "@tanstack/react-query";
import { callApi, callApiList } from "../../lib/api/api-client.ts";
import { useListRows } from "../../lib/list/use-list-rows.ts";
import type { ListSearch } from "../../lib/list/use-list-search.ts";
import type { UserFilters } from "./user-list-search.ts";

/** Everything that is loaded about users, the own one included. */
export const USERS_KEY = ["users"] as const;

export const USER_LIST_KEY = ["users", "list"] as const;

export function useUsers(search: ListSearch, filters: UserFilters) {
  return useListRows<ManagedUser>({
    queryKey: [...USER_LIST_KEY, filters],
    search,
    orders: USER_ORDERS,
    fetchPage: (query, signal) => callApiList("GET /api/user/", { query: { ...query, ...filters }, signal }),
    searchRows: (query, signal) => callApiList("GET /api/user/search", { query: { ...query, ...filters }, signal }),
  });
}

/** What is loaded about one user. */
export const userKey = (id: number) => ["users", "one", id] as const;

/** One user, loaded anew for every form. */
export function userQuery(id: number) {
  return queryOptions({
    queryKey: userKey(id),
    queryFn: ({ signal }) => callApi("GET /api/user/:id", { params: { id }, signal }),
    gcTime: 0,
    meta: { quiet: true },
  });
}
