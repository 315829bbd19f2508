import { sql } from "kysely";
import type { BudgetSetting, BudgetSubject, Queryable } from "./quota.ts";

/**
 * See `QuotaLedger.setBudget`. Locks the row of the budget's window, so that the window begins with the amount before or after. A lower amount may
 * leave a negative remainder.
 */
export async function setBudget(transaction: Queryable, { budget, at, ...subject }: BudgetSetting): Promise<void> {
  const of = columnsOf(subject);
  const { rows } = await sql<{ id: number; period: string; amount: number }>`
    update budgets set amount = amount where ${isOf(of)} returning id, period, amount`.execute(transaction);
  const [stored] = rows;
  if (stored !== undefined && budget?.period === stored.period) {
    await sql`update budgets set amount = ${budget.quota} where id = ${stored.id}`.execute(transaction);
    await sql`update shares set remaining = remaining + ${budget.quota - stored.amount} where kind = 3 and owner = 0 and account = (
      select id from budget_windows where budget_id = ${stored.id} order by window_start desc limit 1)`.execute(
      transaction,
    );
    return;
  }
  // Requests that began before count in the accounts of the budget that is gone.
  if (stored !== undefined) await sql`delete from budgets where id = ${stored.id}`.execute(transaction);
  if (budget === null) return;
  await sql`insert into budgets (user_id, token_id, group_name, amount, period, since)
    values (${of.userId}, ${of.tokenId}, ${of.group}, ${budget.quota}, ${budget.period}, ${at})`.execute(transaction);
}

interface SubjectColumns {
  /** Null for a group. */
  readonly userId: number | null;
  readonly tokenId: number;
  /** Empty for a user or token. */
  readonly group: string;
}

function columnsOf(subject: BudgetSubject): SubjectColumns {
  return "group" in subject ? { userId: null, tokenId: 0, group: subject.group } : { ...subject, group: "" };
}

function isOf({ userId, tokenId, group }: SubjectColumns) {
  return userId === null ? sql`group_name = ${group}` : sql`user_id = ${userId} and token_id = ${tokenId}`;
}
