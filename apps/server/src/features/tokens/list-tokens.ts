import type { Token } from "@one-api/contract/token";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { nowSeconds } from "../../core/clock.ts";
import { tokenNotFound } from "./token.policy.ts";
import { presentToken } from "./token.present.ts";
import {
  countTokensOf,
  findTokenOf,
  listTokensOf,
  searchTokensOf,
  type TokenOrder,
  type TokenRow,
} from "./token.repository.ts";

/** Tokens, and how many there are in all. */
export interface TokenList {
  readonly tokens: Token[];
  readonly total: number;
}

/** One page of the caller's tokens. `page` counts from 0. */
export async function listTokens(context: CallContext, order: TokenOrder, page: number): Promise<TokenList> {
  const { id } = requireActor(context);
  const { db } = context.database;
  const [rows, total] = [await listTokensOf(db, id, order, page), await countTokensOf(db, id, "")];
  return { tokens: presentAll(context, rows), total };
}

/** The caller's tokens whose name begins with the keyword. */
export async function searchTokens(context: CallContext, keyword: string): Promise<TokenList> {
  const { id } = requireActor(context);
  const { db } = context.database;
  const [rows, total] = [await searchTokensOf(db, id, keyword), await countTokensOf(db, id, keyword)];
  return { tokens: presentAll(context, rows), total };
}

/** One of the caller's tokens. Throws `not-found`, also for somebody else's. */
export async function getToken(context: CallContext, id: number): Promise<Token> {
  const row = await findTokenOf(context.database.db, requireActor(context).id, id);
  if (row === undefined) throw tokenNotFound();
  return presentToken(row, context.secrets, nowSeconds(context.clock));
}

function presentAll({ secrets, clock }: CallContext, rows: readonly TokenRow[]): Token[] {
  const now = nowSeconds(clock);
  return rows.map((row) => presentToken(row, secrets, now));
}
