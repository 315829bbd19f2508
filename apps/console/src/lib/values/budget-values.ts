import { BUDGET_PERIODS, type Budget, type BudgetInput } from "@one-api/contract/budget";
import { typedNumber } from "./typed-number.ts";

/** What forms edit of a budget that renews. A number field holds a text while it is empty. */
export interface BudgetValues {
  /** One of the contract's periods; empty for no budget. */
  budget_period: string;
  budget_quota: number | string;
}

export function budgetValues(budget: Budget | null): BudgetValues {
  return { budget_period: budget?.period ?? "", budget_quota: budget?.quota ?? "" };
}

/** The budget that the values say. */
function budgetInputOf({ budget_period, budget_quota: quota }: BudgetValues): BudgetInput {
  const period = BUDGET_PERIODS.find((known) => known === budget_period);
  return period === undefined ? null : { period, quota: typedNumber(quota) };
}

/** What saves the budget; nothing where it stays as it was. */
export function budgetPayload(values: BudgetValues, stored: Budget | null): { budget?: BudgetInput } {
  const budget = budgetInputOf(values);
  const isSame = (budget?.period ?? "") === (stored?.period ?? "") && (budget?.quota ?? 0) === (stored?.quota ?? 0);
  return isSame ? {} : { budget };
}
