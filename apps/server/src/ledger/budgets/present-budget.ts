import { type Budget, type BudgetInput, periodEnd, periodStart } from "@one-api/contract/budget";
import type { FieldChange } from "../../core/audit.ts";
import type { Queryable } from "../../core/transaction.ts";
import { budgetAt, readBudget } from "./budget.ts";

/** A budget beside the row of its user or token; nothing but null where there is none. */
export interface BudgetColumns {
  readonly budget_amount: number | null;
  readonly budget_period: string | null;
  readonly budget_window_start: number | null;
  readonly budget_spent: number | null;
}

/** What a left join with `selectBudgets` is read by. */
export const BUDGET_COLUMNS = ["budget_amount", "budget_period", "budget_window_start", "budget_spent"] as const;

/** The columns of a row without a budget. */
export const NO_BUDGET: BudgetColumns = {
  budget_amount: null,
  budget_period: null,
  budget_window_start: null,
  budget_spent: null,
};

/** Every budget under names of its own, to join with users (`budget_token_id` is 0) or tokens. */
export function selectBudgets(queryable: Queryable) {
  return queryable
    .selectFrom("budgets")
    .select([
      "user_id as budget_user_id",
      "token_id as budget_token_id",
      "amount as budget_amount",
      "period as budget_period",
      "window_start as budget_window_start",
      "spent as budget_spent",
    ])
    .as("budget");
}

/** The columns of a row whose budget has just been set. `time` in Unix seconds. */
export function newBudget(budget: BudgetInput, time: number): BudgetColumns {
  if (budget === null) return NO_BUDGET;
  const { quota, period } = budget;
  return {
    budget_amount: quota,
    budget_period: period,
    budget_window_start: periodStart(period, time),
    budget_spent: 0,
  };
}

/** The budget as it stands at the time, in Unix seconds; null for none. */
export function presentBudget(row: BudgetColumns, time: number): Budget | null {
  if (row.budget_amount === null) return null;
  const stored = readBudget({
    amount: row.budget_amount,
    period: row.budget_period,
    window_start: row.budget_window_start,
    spent: row.budget_spent,
  });
  const { amount, period, spent, windowStart } = budgetAt(stored, time);
  return { quota: amount, period, used: spent, renews_at: periodEnd(period, windowStart) };
}

/** What of a budget's setting changed, for the audit trail; nothing where it stayed. */
export function budgetChange(before: BudgetColumns, after: BudgetColumns): { budget?: FieldChange } {
  const [from, to] = [before, after].map(({ budget_amount: quota, budget_period: period }) =>
    quota === null ? null : { quota, period },
  );
  const isSame = from?.quota === to?.quota && from?.period === to?.period;
  return isSame ? {} : { budget: { from: from ?? {}, to: to ?? {} } };
}
