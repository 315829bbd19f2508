import type { Token } from "@one-api/contract/token";
import { TOKEN_ORDERS } from "@one-api/contract/token-constants";
import { queryOptions } from "@tanstack/react-query";
import { callApi, callApiList } from "../../lib/api/api-client.ts";
import { ROW_CACHED_MS } from "../../lib/api/row-query.ts";
import type { ListSource } from "../../lib/list/list-query.ts";
import { useListRows } from "../../lib/list/use-list-rows.ts";
import type { ListSearch } from "../../lib/list/use-list-search.ts";
import type { TokenFilters } from "./token-list-search.ts";

export const TOKENS_KEY = ["tokens"] as const;

export const TOKEN_LIST_KEY = ["tokens", "list"] as const;

export function tokenQuery(id: number) {
  return queryOptions({
    queryKey: ["tokens", "one", id],
    queryFn: ({ signal }) => callApi("GET /api/token/:id", { params: { id }, signal }),
    gcTime: ROW_CACHED_MS,
    meta: { quiet: true },
  });
}

export const availableModelsQuery = queryOptions({
  queryKey: ["models", "available"],
  queryFn: ({ signal }) => callApi("GET /api/user/available_models", { signal }),
  meta: { quiet: true },
});

/** The user's own groups in order, with the factors of their prices. */
export const ownGroupsQuery = queryOptions({
  queryKey: ["groups", "own"],
  queryFn: ({ signal }) => callApi("GET /api/user/groups", { signal }),
  meta: { quiet: true },
});

/** The user's newest tokens. */
export const ownTokensQuery = queryOptions({
  queryKey: ["tokens", "newest"],
  queryFn: ({ signal }) => callApi("GET /api/token/", { query: { size: 50 }, signal }),
  meta: { shownInPlace: true },
});

export function tokenList(filters: TokenFilters): ListSource<Token> {
  return {
    queryKey: [...TOKEN_LIST_KEY, filters],
    orders: TOKEN_ORDERS,
    fetchPage: (query, { signal }) => callApiList("GET /api/token/", { query: { ...query, ...filters }, signal }),
    searchRows: (query, { signal }) =>
      callApiList("GET /api/token/search", { query: { ...query, ...filters }, signal }),
  };
}

export const useTokens = (search: ListSearch, filters: TokenFilters) => useListRows(tokenList(filters), search);
