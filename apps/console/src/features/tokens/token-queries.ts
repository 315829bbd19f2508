import { getToken, listTokens, searchTokens, type Token } from "@one-api/contract/token";
import { getAvailableModels, getSelf } from "@one-api/contract/user";
import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { callApi, callApiList } from "../../lib/api-client.ts";
import { sortRows } from "../../lib/compare-cells.ts";
import { listSearchSchema } from "../../lib/list-search.ts";
import { useListRows } from "../../lib/use-list-rows.ts";

/** Orders of the server that the list offers, in the order of the menu. */
export const TOKEN_ORDERS = ["default", "remain_quota", "used_quota"] as const;

/** How the server orders the whole list. */
export type TokenListOrder = (typeof TOKEN_ORDERS)[number];

/** View state of the page, kept in its address. */
export const tokenListSearchSchema = listSearchSchema.extend({
  order: z.enum(TOKEN_ORDERS).optional().catch(undefined),
});

/** Everything that is loaded about tokens. */
export const TOKENS_KEY = ["tokens"] as const;

/** Every loaded list of tokens. */
export const TOKEN_LIST_KEY = ["tokens", "list"] as const;

/** One token, loaded anew for every form. */
export function tokenQuery(id: number) {
  return queryOptions({
    queryKey: ["tokens", "one", id],
    queryFn: ({ signal }) => callApi(getToken, { params: { id }, signal }),
    gcTime: 0,
    meta: { quiet: true },
  });
}

/** Names of the models that the user's group can call. */
export const availableModelsQuery = queryOptions({
  queryKey: ["models", "available"],
  queryFn: ({ signal }) => callApi(getAvailableModels, { signal }),
  meta: { quiet: true },
});

/** The own user, for the quota that tokens can be given. */
export const ownUserQuery = queryOptions({
  queryKey: ["users", "self"],
  queryFn: ({ signal }) => callApi(getSelf, { signal }),
  meta: { quiet: true },
});

/** Puts found tokens into the order that the server gives whole lists: the largest quota first, unlimited ones before all. */
export function orderTokens(tokens: readonly Token[], order: TokenListOrder): readonly Token[] {
  if (order === "default") return tokens;
  if (order === "used_quota") return sortRows(tokens, (token) => token.used_quota, true);
  return sortRows(tokens, (token) => (token.unlimited_quota ? Number.POSITIVE_INFINITY : token.remain_quota), true);
}

interface TokenListState {
  page: number;
  keyword: string;
  order: TokenListOrder;
}

/** The own tokens in the order that was chosen, or those whose name begins with the keyword. */
export function useTokens({ page, keyword, order }: TokenListState) {
  return useListRows<Token>({
    queryKey: [...TOKEN_LIST_KEY, { order }],
    page,
    keyword,
    fetchPage: (p, signal) => callApiList(listTokens, { query: order === "default" ? { p } : { p, order }, signal }),
    searchRows: async (text, signal) => {
      const found = await callApiList(searchTokens, { query: { keyword: text }, signal });
      return { ...found, rows: orderTokens(found.rows, order) };
    },
  });
}
