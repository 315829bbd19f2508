import { LOG_TYPE } from "@one-api/contract/logs/log";
import { sql } from "kysely";
import { REFUND_TYPE } from "../storage/journal-columns.ts";
import type { Payer } from "../ledger.ts";
import type { Queryable } from "../quota.ts";
import type { StoredAccount } from "./reference.ts";

/** The charges of the payers by request, refunds taken off; more than one where a request is charged twice. */
export async function readCharges(db: Queryable, payers: readonly Payer[]): Promise<Map<string, number[]>> {
  const rows = await readEntries(db, payers);
  const charges = new Map<string, number[]>();
  for (const { request_id, quota, type } of rows)
    if (type !== REFUND_TYPE) charges.set(request_id, [...(charges.get(request_id) ?? []), quota]);
  for (const { request_id, quota, type } of rows)
    if (type === REFUND_TYPE) charges.set(request_id, [sumOf(charges.get(request_id)) - quota]);
  return charges;
}

/** What the payers' users and tokens have left and were charged. */
export async function readAccounts(db: Queryable, payers: readonly Payer[]): Promise<Map<string, StoredAccount>> {
  const rows = await readEntries(db, payers);
  const accounts = new Map<string, StoredAccount>();
  const sum = (of: (row: (typeof rows)[number]) => number): number =>
    rows.reduce((all, row) => all + (row.type === REFUND_TYPE ? -1 : 1) * of(row), 0);
  for (const { userId, tokenId } of payers) {
    accounts.set(`user ${userId}`, {
      remaining: await readBalance(db, "user_balances", "user_id", userId),
      charged: sum((row) => (row.user_id === userId ? row.quota : 0)),
    });
    accounts.set(`token ${tokenId}`, {
      remaining: await readBalance(db, "token_balances", "token_id", tokenId),
      charged: sum((row) => (row.token_id === tokenId ? row.token_amount : 0)),
    });
  }
  return accounts;
}

/** What a view of balances says of an account. */
export async function readBalance(db: Queryable, view: string, key: string, id: number): Promise<number> {
  const { rows } = await sql<{ remaining: number }>`
    select remaining from ${sql.table(view)} where ${sql.ref(key)} = ${id}`.execute(db);
  return rows[0]?.remaining ?? 0;
}

function sumOf(amounts: readonly number[] | undefined): number {
  return (amounts ?? []).reduce((sum, amount) => sum + amount, 0);
}

function readEntries(db: Queryable, payers: readonly Payer[]) {
  const userIds = payers.map(({ userId }) => userId);
  return db
    .selectFrom("logs")
    .select(["request_id", "quota", "type", "user_id", "token_id", "token_amount"])
    .where("type", "in", [LOG_TYPE.consumption, REFUND_TYPE])
    .where("user_id", "in", userIds)
    .execute();
}
