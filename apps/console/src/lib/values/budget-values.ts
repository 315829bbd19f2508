import { BUDGET_PERIODS, type Budget, type BudgetInput } from "@one-api/contract/budget";
import { typedNumber } from "./typed-number.ts";

/** Form values of a budget. An empty number field holds a text. */
export interface BudgetValues {
  budget_period: string;
  budget_quota: number | string;
}

export function budgetValues(budget: Budget | null): BudgetValues {
  return { budget_period: budget?.period ?? "", budget_quota: budget?.quota ?? "" };
}

function budgetInputOf({ budget_period, budget_quota: quota }: BudgetValues): BudgetInput {
  const period = BUDGET_PERIODS.find((known) => known === budget_period);
  return period === undefined ? null : { period, quota: typedNumber(quota) };
}

/** Input that saves the budget; empty without a change. */
export function budgetPayload(values: BudgetValues, stored: Budget | null): { budget?: BudgetInput } {
  const budget = budgetInputOf(values);
  const isSame = (budget?.period ?? "") === (stored?.period ?? "") && (budget?.quota ?? 0) === (stored?.quota ?? 0);
  return isSame ? {} : { budget };
}
