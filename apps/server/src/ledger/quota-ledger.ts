import type { Allotment, Grant, QuotaLedger } from "../core/quota-ledger.ts";
import { randomText } from "../core/secrets.ts";
import type { Queryable } from "../core/transaction.ts";
import type { EntryRow } from "./ledger-statements.ts";

const ID_LENGTH = 24;

/** The ledger's part that works in the caller's transaction: what administrators grant and owners allot. */
export const quotaLedger: QuotaLedger = { grant, allot, holdUserQuota };

async function grant(transaction: Queryable, { userId, amount, note, at }: Grant): Promise<boolean> {
  if (amount === 0) return true;
  const result = await transaction
    .updateTable("users")
    .set((row) => ({ quota: row("quota", "+", amount) }))
    .where("id", "=", userId)
    .where("quota", ">=", Math.max(0, -amount))
    .where("quota", "<=", Number.MAX_SAFE_INTEGER - Math.max(0, amount))
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  await insertEntry(transaction, { kind: "grant", user_id: userId, user_amount: amount, note, created_at: at });
  return true;
}

async function allot(transaction: Queryable, { userId, tokenId, from, to, at }: Allotment): Promise<boolean> {
  if (from === to) return true;
  // Requests take from the token at any time: what they took since it was read is never given back.
  const result = await transaction
    .updateTable("tokens")
    .set({ remain_quota: to })
    .where("id", "=", tokenId)
    .where("user_id", "=", userId)
    .where("remain_quota", "=", from)
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  const entry = { kind: "allot", user_id: userId, token_id: tokenId, token_amount: to - from, created_at: at };
  await insertEntry(transaction, entry);
  return true;
}

async function holdUserQuota(transaction: Queryable, userId: number): Promise<number> {
  const row = await transaction
    .updateTable("users")
    .set((user) => ({ quota: user.ref("quota") }))
    .where("id", "=", userId)
    .returning("quota")
    .executeTakeFirst();
  return row?.quota ?? 0;
}

type NewEntry = Pick<EntryRow, "kind" | "user_id" | "created_at"> & Partial<EntryRow>;

async function insertEntry(transaction: Queryable, entry: NewEntry): Promise<void> {
  const request_id = `${entry.kind}:${randomText(ID_LENGTH)}`;
  const empty = { token_id: 0, channel_id: 0, user_amount: 0, token_amount: 0, shortfall: 0, note: "" };
  await transaction
    .insertInto("ledger_entries")
    .values({ ...empty, request_id, ...entry })
    .execute();
}
