import type { Tables } from "@one-api/database/tables";
import type { Insertable } from "kysely";
import type { QuotaLedger } from "../core/quota-ledger.ts";
import { randomText } from "../core/secrets/secrets.ts";
import type { Queryable } from "../core/transaction.ts";
import { setBudget } from "./budgets/set-budget.ts";
import { clearLogs } from "./clear-logs.ts";

const ID_LENGTH = 24;

/**
 * Called for an account before and after it is changed in the caller's transaction, so that a ledger that keeps balances in memory reads
 * it again when that transaction has ended. Returns what requests in flight have set aside of it.
 */
type OnChange = (account: "user" | "token", id: number) => number;

/** What a ledger does beside the transaction. */
export interface QuotaLedgerParts {
  readonly onChange?: OnChange;
  readonly onBudgetChange?: (userId: number) => void;
  /** Has what is set aside in advance for the user given back. */
  readonly recall?: (userId: number) => Promise<unknown>;
}

/** The ledger's part that works in the caller's transaction: what administrators grant, codes pay and owners allot. */
export function createQuotaLedger({
  onChange = () => 0,
  onBudgetChange = () => undefined,
  recall = async () => false,
}: QuotaLedgerParts = {}): QuotaLedger {
  const addToUser = async (transaction: Queryable, userId: number, amount: number): Promise<boolean> => {
    const held = onChange("user", userId);
    const result = await transaction
      .updateTable("user_balances")
      .set((row) => ({ remaining: row("remaining", "+", amount) }))
      .where("user_id", "=", userId)
      .where((row) => row(row("remaining", "-", row.ref("leased")), ">=", amount < 0 ? held - amount : 0))
      .where("remaining", "<=", Number.MAX_SAFE_INTEGER - Math.max(0, amount))
      .executeTakeFirst();
    onChange("user", userId);
    return result.numUpdatedRows > 0n;
  };
  return {
    async grant(transaction, { userId, amount, note, at }) {
      if (amount === 0) return true;
      if (!(await addToUser(transaction, userId, amount))) return false;
      await insertEntry(transaction, { kind: "grant", user_id: userId, user_amount: amount, note, created_at: at });
      return true;
    },
    async redeem(transaction, { userId, redemptionId, amount, at }) {
      if (!(await addToUser(transaction, userId, amount))) return false;
      // Kind and request id are unique together, and the id of a code is never used again.
      const entry = { kind: "redeem", request_id: `redemption:${redemptionId}`, user_id: userId, created_at: at };
      await insertEntry(transaction, { ...entry, user_amount: amount });
      return true;
    },
    async allot(transaction, { userId, tokenId, from, to, at }) {
      if (from === to) return true;
      onChange("token", tokenId);
      // Requests take from the token at any time: what they took since it was read is never given back.
      const result = await transaction
        .updateTable("token_balances")
        .set({ remaining: to })
        .where("token_id", "=", (owned) =>
          owned.selectFrom("tokens").select("id").where("id", "=", tokenId).where("user_id", "=", userId),
        )
        .where("remaining", "=", from)
        .executeTakeFirst();
      onChange("token", tokenId);
      if (result.numUpdatedRows === 0n) return false;
      const entry = { kind: "allot", user_id: userId, token_id: tokenId, token_amount: to - from, created_at: at };
      await insertEntry(transaction, entry);
      return true;
    },
    async setBudget(transaction, setting) {
      onBudgetChange(setting.userId);
      await setBudget(transaction, setting);
      onBudgetChange(setting.userId);
    },
    clearLogs,
    async holdUserQuota(transaction, userId) {
      const held = onChange("user", userId);
      const row = await transaction
        .updateTable("user_balances")
        .set((balance) => ({ remaining: balance.ref("remaining") }))
        .where("user_id", "=", userId)
        .returning(["remaining", "leased"])
        .executeTakeFirst();
      return row === undefined ? 0 : Math.max(0, row.remaining - row.leased - held);
    },
    async recallUserQuota(userId) {
      await recall(userId);
    },
  };
}

type EntryRow = Insertable<Tables["ledger_entries"]>;
type NewEntry = Pick<EntryRow, "kind" | "user_id" | "created_at"> & Partial<EntryRow>;

/** Appends an entry to the ledger, under an id of its own unless it has one. */
export async function insertEntry(transaction: Queryable, entry: NewEntry): Promise<void> {
  const request_id = `${entry.kind}:${randomText(ID_LENGTH)}`;
  const empty = { token_id: 0, user_amount: 0, token_amount: 0, note: "" };
  await transaction
    .insertInto("ledger_entries")
    .values({ ...empty, request_id, ...entry })
    .execute();
}
