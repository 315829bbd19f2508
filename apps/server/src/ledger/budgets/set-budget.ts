import { periodStart } from "@one-api/contract/budget";
import type { BudgetSetting } from "../../core/quota-ledger.ts";
import type { Queryable } from "../../core/transaction.ts";

/** See `QuotaLedger.setBudget`. Holds the user's balance, as every request does that counts in a budget. */
export async function setBudget(transaction: Queryable, { userId, tokenId, budget, at }: BudgetSetting): Promise<void> {
  await transaction
    .updateTable("user_balances")
    .set((row) => ({ remaining: row.ref("remaining") }))
    .where("user_id", "=", userId)
    .execute();
  const stored = await transaction
    .selectFrom("budgets")
    .select(["period", "since"])
    .where("user_id", "=", userId)
    .where("token_id", "=", tokenId)
    .executeTakeFirst();
  if (budget !== null && stored?.period === budget.period) {
    await transaction
      .updateTable("budgets")
      .set({ amount: budget.quota })
      .where("user_id", "=", userId)
      .where("token_id", "=", tokenId)
      .execute();
    return;
  }
  await forget(transaction, userId, tokenId);
  if (budget === null) return;
  const { period, quota } = budget;
  // Requests that began before this budget must not be taken for its own.
  const since = stored === undefined ? at : Math.max(at, stored.since + 1);
  await transaction
    .insertInto("budgets")
    .values({
      user_id: userId,
      token_id: tokenId,
      amount: quota,
      period,
      since,
      window_start: periodStart(period, at),
      spent: 0,
    })
    .execute();
}

async function forget(transaction: Queryable, userId: number, tokenId: number): Promise<void> {
  for (const table of ["budget_uses", "budgets"] as const)
    await transaction.deleteFrom(table).where("user_id", "=", userId).where("token_id", "=", tokenId).execute();
}
