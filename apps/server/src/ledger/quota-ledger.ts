import type { Allotment, Grant, QuotaLedger } from "../core/quota-ledger.ts";
import { randomText } from "../core/secrets.ts";
import type { Queryable } from "../core/transaction.ts";
import type { Tables } from "@one-api/database/tables";
import type { Insertable } from "kysely";

const ID_LENGTH = 24;

/** The ledger's part that works in the caller's transaction: what administrators grant and owners allot. */
export const quotaLedger: QuotaLedger = { grant, allot, holdUserQuota };

async function grant(transaction: Queryable, { userId, amount, note, at }: Grant): Promise<boolean> {
  if (amount === 0) return true;
  const result = await transaction
    .updateTable("user_balances")
    .set((row) => ({ remaining: row("remaining", "+", amount) }))
    .where("user_id", "=", userId)
    .where("remaining", ">=", Math.max(0, -amount))
    .where("remaining", "<=", Number.MAX_SAFE_INTEGER - Math.max(0, amount))
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  await insertEntry(transaction, { kind: "grant", user_id: userId, user_amount: amount, note, created_at: at });
  return true;
}

async function allot(transaction: Queryable, { userId, tokenId, from, to, at }: Allotment): Promise<boolean> {
  if (from === to) return true;
  // Requests take from the token at any time: what they took since it was read is never given back.
  const result = await transaction
    .updateTable("token_balances")
    .set({ remaining: to })
    .where("token_id", "=", (owned) =>
      owned.selectFrom("tokens").select("id").where("id", "=", tokenId).where("user_id", "=", userId),
    )
    .where("remaining", "=", from)
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  const entry = { kind: "allot", user_id: userId, token_id: tokenId, token_amount: to - from, created_at: at };
  await insertEntry(transaction, entry);
  return true;
}

async function holdUserQuota(transaction: Queryable, userId: number): Promise<number> {
  const row = await transaction
    .updateTable("user_balances")
    .set((balance) => ({ remaining: balance.ref("remaining") }))
    .where("user_id", "=", userId)
    .returning("remaining")
    .executeTakeFirst();
  return row?.remaining ?? 0;
}

type EntryRow = Insertable<Tables["ledger_entries"]>;
type NewEntry = Pick<EntryRow, "kind" | "user_id" | "created_at"> & Partial<EntryRow>;

async function insertEntry(transaction: Queryable, entry: NewEntry): Promise<void> {
  const request_id = `${entry.kind}:${randomText(ID_LENGTH)}`;
  const empty = { token_id: 0, user_amount: 0, token_amount: 0, note: "" };
  await transaction
    .insertInto("ledger_entries")
    .values({ ...empty, request_id, ...entry })
    .execute();
}
