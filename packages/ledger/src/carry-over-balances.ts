import { CLEARED_CHARGES, clearedRequestId } from "./clear-logs.ts";
import { sql } from "kysely";
import { ACCOUNT_KIND, type AccountKind } from "./accounts.ts";
import type { Queryable } from "./quota.ts";
import { insertEntry } from "./quota-in-transaction.ts";

export interface CarriedToken {
  readonly tokenId: number;
  readonly isUnlimited: boolean;
  readonly remaining: number;
  readonly used: number;
  readonly lastUsedAt: number;
}

export interface CarriedAccount {
  readonly userId: number;
  readonly remaining: number;
  readonly used: number;
  readonly requests: number;
  readonly tokens: readonly CarriedToken[];
  /** Part of `used` that has rows in the log, without known tokens. */
  readonly logged: number;
  readonly at: number;
}

/**
 * Gives a new account and its tokens their balances of another product: a grant, and the past use as removed charges. Runs in the caller's
 * transaction.
 */
export async function carryOverBalances(transaction: Queryable, account: CarriedAccount): Promise<void> {
  const { userId, remaining, used, requests, tokens, logged, at } = account;
  await fillPool(transaction, ACCOUNT_KIND.user, userId, { remaining, used, requests, lastUsedAt: 0 });
  const granted = remaining + used;
  const grant = { kind: "grant", user_id: userId, user_amount: granted, note: "brought over", created_at: at };
  if (granted > 0) await insertEntry(transaction, { ...grant, user_remaining: remaining });
  for (const token of tokens) await carryOverToken(transaction, account, token);
  // Tokens that are gone there had used the rest; where those that are left and the log say more than the user's count, it takes that back.
  const ofTokens = tokens.reduce((sum, token) => sum + token.used, 0);
  await bookUsed(transaction, account, { tokenId: 0, user: used - ofTokens - logged, token: 0 });
}

async function carryOverToken(transaction: Queryable, account: CarriedAccount, token: CarriedToken): Promise<void> {
  const { tokenId, isUnlimited, remaining, used, lastUsedAt } = token;
  await fillPool(transaction, ACCOUNT_KIND.token, tokenId, { remaining, used, requests: 0, lastUsedAt });
  const ofQuota = isUnlimited ? 0 : used;
  const allotted = remaining + ofQuota;
  const entry = { user_id: account.userId, token_id: tokenId, created_at: account.at };
  if (allotted > 0) await insertEntry(transaction, { ...entry, kind: "allot", token_amount: allotted });
  await bookUsed(transaction, account, { tokenId, user: used, token: ofQuota });
}

interface Beginning {
  readonly remaining: number;
  readonly used: number;
  readonly requests: number;
  readonly lastUsedAt: number;
}

async function fillPool(
  transaction: Queryable,
  kind: AccountKind,
  id: number,
  { remaining, used, requests, lastUsedAt }: Beginning,
): Promise<void> {
  await sql`update shares set remaining = ${remaining}, used = ${used}, requests = ${requests}, last_used_at = ${lastUsedAt}
    where kind = ${kind} and account = ${id} and owner = 0`.execute(transaction);
}

interface Used {
  readonly tokenId: number;
  readonly user: number;
  readonly token: number;
}

async function bookUsed(transaction: Queryable, { userId, at }: CarriedAccount, { tokenId, user, token }: Used) {
  if (user === 0 && token === 0) return;
  await insertEntry(transaction, {
    kind: CLEARED_CHARGES,
    request_id: clearedRequestId(userId, tokenId),
    user_id: userId,
    token_id: tokenId,
    user_amount: -user,
    token_amount: -token,
    created_at: at,
  });
}
