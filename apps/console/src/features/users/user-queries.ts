import type { ManagedUser } from "@one-api/contract/accounts/user-management";
import { USER_ORDERS } from "@one-api/contract/accounts/user-constants";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { callApi, callApiList } from "../../lib/api/api-client.ts";
import { ROW_CACHED_MS } from "../../lib/api/row-query.ts";
import type { ListSource } from "../../lib/list/list-query.ts";
import { useIsIdle } from "../../lib/loading/when-idle.ts";
import { useListRows } from "../../lib/list/use-list-rows.ts";
import type { ListSearch } from "../../lib/list/use-list-search.ts";
import { lastSteps } from "../../lib/calendar-steps.ts";
import type { UserFilters } from "./user-list-search.ts";

/** Everything that is loaded about users, the own one included. */
export const USERS_KEY = ["users"] as const;

export const USER_LIST_KEY = ["users", "list"] as const;

export function userList(filters: UserFilters): ListSource<ManagedUser> {
  return {
    queryKey: [...USER_LIST_KEY, filters],
    orders: USER_ORDERS,
    fetchPage: (query, { signal }) => callApiList("GET /api/user/", { query: { ...query, ...filters }, signal }),
    searchRows: (query, { signal }) => callApiList("GET /api/user/search", { query: { ...query, ...filters }, signal }),
  };
}

export const useUsers = (search: ListSearch, filters: UserFilters) => useListRows(userList(filters), search);

export const userKey = (id: number) => ["users", "one", id] as const;

export function userQuery(id: number) {
  return queryOptions({
    queryKey: userKey(id),
    queryFn: ({ signal }) => callApi("GET /api/user/:id", { params: { id }, signal }),
    gcTime: ROW_CACHED_MS,
    meta: { quiet: true },
  });
}

const SPEND_DAYS = 30;
const SPEND_FRESH_MS = 60_000;

/** What the users spent in the last 30 days, by id, in the same days as a user's page; users without requests have none. */
export function useSpendOf(users: readonly ManagedUser[]) {
  const ids = users.map(({ id }) => id).toSorted((left, right) => left - right);
  const isIdle = useIsIdle();
  return useQuery({
    queryKey: ["user-spend", ids],
    queryFn: async ({ signal }) => {
      const edges = lastSteps(new Date(), "day", SPEND_DAYS).join();
      const spend = await callApi("GET /api/user/spend", { query: { ids: ids.join(), edges }, signal });
      return new Map(spend.map((one) => [one.id, one]));
    },
    enabled: isIdle && ids.length > 0,
    staleTime: SPEND_FRESH_MS,
    // Without a log store there is no column.
    retry: false,
    meta: { quiet: true },
  });
}

/** Options that decide about accounts. Below the key of all options, so that a saved one reloads them. */
export const accountOptionsQuery = queryOptions({
  queryKey: ["options", "accounts"],
  queryFn: async ({ signal }) => {
    const options = await callApi("GET /api/option/", { signal });
    const valueOf = (name: string) => options.find(({ key }) => key === name)?.value ?? "";
    return { groupRatio: valueOf("GroupRatio"), quotaForNewUser: Number(valueOf("QuotaForNewUser")) };
  },
  meta: { quiet: true },
});
