import { type Budget, BUDGET_PERIODS, type BudgetInput, periodEnd, periodStart } from "@one-api/contract/budget";
import type { FieldChange } from "../../core/audit.ts";
import type { Queryable } from "../../core/transaction.ts";

/** Budget columns of a user or token row; all null without a budget. */
export interface BudgetColumns {
  readonly budget_amount: number | null;
  readonly budget_period: string | null;
  readonly budget_window_start: number | null;
  readonly budget_spent: number | null;
}

export const BUDGET_COLUMNS = ["budget_amount", "budget_period", "budget_window_start", "budget_spent"] as const;

export const NO_BUDGET: BudgetColumns = {
  budget_amount: null,
  budget_period: null,
  budget_window_start: null,
  budget_spent: null,
};

/** Every budget with its own column names, to join with users (`budget_token_id` is 0) or tokens. `budget_group` is empty but for budgets of groups. */
export function selectBudgets(queryable: Queryable) {
  return queryable
    .selectFrom("budgets")
    .leftJoin("budget_uses", "budget_uses.budget_id", "budgets.id")
    .select([
      "budgets.user_id as budget_user_id",
      "budgets.token_id as budget_token_id",
      "budgets.group_name as budget_group",
      "budgets.amount as budget_amount",
      "budgets.period as budget_period",
      "budget_uses.window_start as budget_window_start",
      "budget_uses.spent as budget_spent",
    ])
    .as("budget");
}

/** `time` in Unix seconds. */
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

/** `time` in Unix seconds. */
export function presentBudget(row: BudgetColumns, time: number): Budget | null {
  if (row.budget_amount === null) return null;
  const period = BUDGET_PERIODS.find((known) => known === row.budget_period);
  if (period === undefined) throw new Error(`A budget has the unknown period ${row.budget_period}.`);
  // A clock that is set back does not start a window again.
  const [start, stored] = [periodStart(period, time), row.budget_window_start ?? 0];
  const used = stored >= start ? (row.budget_spent ?? 0) : 0;
  return { quota: row.budget_amount, period, used, renews_at: periodEnd(period, Math.max(start, stored)) };
}

export function budgetChange(before: BudgetColumns, after: BudgetColumns): { budget?: FieldChange } {
  const [from, to] = [before, after].map(({ budget_amount: quota, budget_period: period }) =>
    quota === null ? null : { quota, period },
  );
  const isSame = from?.quota === to?.quota && from?.period === to?.period;
  return isSame ? {} : { budget: { from: from ?? {}, to: to ?? {} } };
}
