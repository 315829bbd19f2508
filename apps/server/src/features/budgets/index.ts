export { alertUsedBalances } from "./alert-used-balances.ts";
export { alertUsedBudgets } from "./alert-used-budgets.ts";
export { registerBudgetCalls } from "./budget.routes.ts";
export { findBudgetOfGroups, type GroupBudgetDeps, listGroupBudgets, setGroupBudget } from "./group-budgets.ts";
export {
  BUDGET_COLUMNS,
  type BudgetColumns,
  budgetChange,
  newBudget,
  NO_BUDGET,
  presentBudget,
  selectBudgets,
} from "./present-budget.ts";
