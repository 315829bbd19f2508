import type { Token } from "@one-api/contract/token";
import { sortRows } from "../../../lib/compare-cells.ts";
import type { TokenListOrder } from "../token-list-search.ts";

/** Puts found tokens into the order that the server gives whole lists: the largest quota first, unlimited ones before all. */
export function orderTokens(tokens: readonly Token[], order: TokenListOrder): readonly Token[] {
  if (order === "default") return tokens;
  if (order === "used_quota") return sortRows(tokens, (token) => token.used_quota, true);
  return sortRows(tokens, (token) => (token.unlimited_quota ? Number.POSITIVE_INFINITY : token.remain_quota), true);
}
