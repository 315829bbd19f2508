import type * as calls from "@one-api/contract/token";
import type { ForeignToken } from "@one-api/contract/accounts/user-management";
import type { z } from "zod";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { type Listed, orderedPageOf } from "../../core/lists/list-page.ts";
import type { Queryable } from "../../core/transaction.ts";
import { tokenNotFound } from "./token.policy.ts";
import { presentForeignToken, presentToken } from "./token.present.ts";
import { countTokensOf, findTokenOf, listTokensOf, type TokenRow, type TokenPage } from "./token.repository.ts";

type ListQuery = z.output<typeof calls.listTokens.query>;
type SearchQuery = z.output<typeof calls.searchTokens.query>;

export async function listTokens(context: CallContext, query: ListQuery): Promise<Listed<calls.Token>> {
  return searchTokens(context, { ...query, keyword: "" });
}

/** One page of the caller's tokens whose name begins with the keyword; all of them without `size`. */
export async function searchTokens(context: CallContext, query: SearchQuery): Promise<Listed<calls.Token>> {
  const { db } = context.database;
  const { keyword, status } = query;
  const filter = { userId: requireActor(context).id, keyword, status, now: nowSeconds(context.clock) };
  const rows = await listTokensOf(db, filter, orderedPageOf(query));
  const tokens = rows.map((row) => presentToken(row, context.secrets, filter.now));
  return { rows: tokens, total: await countTokensOf(db, filter) };
}

/** The stored row. Throws `token-not-found`, also for another user's token. */
export async function findOwnToken(context: CallContext, id: number): Promise<TokenRow> {
  const row = await findTokenOf(context.database.db, requireActor(context).id, id);
  if (row === undefined) throw tokenNotFound();
  return row;
}

/** Throws `token-not-found`, also for another user's token. */
export async function getToken(context: CallContext, id: number): Promise<calls.Token> {
  return presentToken(await findOwnToken(context, id), context.secrets, nowSeconds(context.clock));
}

/** One page of a user's tokens without keys. `now` in Unix seconds. The caller checks the permission. */
export async function listTokensForOthers(
  queryable: Queryable,
  userId: number,
  now: number,
  page: TokenPage,
): Promise<Listed<ForeignToken>> {
  const filter = { userId, keyword: "", status: 0, now };
  const rows = await listTokensOf(queryable, filter, page);
  return { rows: rows.map((row) => presentForeignToken(row, now)), total: await countTokensOf(queryable, filter) };
}
