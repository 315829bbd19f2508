import type { Redemption } from "@one-api/contract/redemption";
import { REDEMPTION_ORDERS } from "@one-api/contract/redemption-constants";
import { queryOptions } from "@tanstack/react-query";
import { callApi, callApiList } from "../../lib/api/api-client.ts";
import { ROW_CACHED_MS } from "../../lib/api/row-query.ts";
import type { ListSource } from "../../lib/list/list-query.ts";
import { useListRows } from "../../lib/list/use-list-rows.ts";
import type { ListSearch } from "../../lib/list/use-list-search.ts";
import type { RedemptionFilters } from "./redemption-list-search.ts";

export const REDEMPTIONS_KEY = ["redemptions"] as const;

export const REDEMPTION_LIST_KEY = ["redemptions", "list"] as const;

export function redemptionList(filters: RedemptionFilters): ListSource<Redemption> {
  return {
    queryKey: [...REDEMPTION_LIST_KEY, filters],
    orders: REDEMPTION_ORDERS,
    fetchPage: (query, { signal }) => callApiList("GET /api/redemption/", { query: { ...query, ...filters }, signal }),
    searchRows: (query, { signal }) =>
      callApiList("GET /api/redemption/search", { query: { ...query, ...filters }, signal }),
  };
}

export const useRedemptions = (search: ListSearch, filters: RedemptionFilters) =>
  useListRows(redemptionList(filters), search);

export function redemptionQuery(id: number) {
  return queryOptions({
    queryKey: ["redemptions", "one", id],
    queryFn: ({ signal }) => callApi("GET /api/redemption/:id", { params: { id }, signal }),
    gcTime: ROW_CACHED_MS,
    meta: { quiet: true },
  });
}
