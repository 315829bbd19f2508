import { listTokens, searchTokens, type Token } from "@one-api/contract/token";
import { callApiList } from "../../../lib/api-client.ts";
import { useListRows } from "../../../lib/use-list-rows.ts";
import { TOKEN_LIST_KEY } from "../api/token-queries.ts";
import type { TokenListOrder } from "../token-list-search.ts";
import { orderTokens } from "./order-tokens.ts";

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
