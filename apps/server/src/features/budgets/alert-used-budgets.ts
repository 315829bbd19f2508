import { BUDGET_PERIODS } from "@one-api/contract/budget";
import type { OpenDatabase } from "@one-api/database/open-database";
import { type Clock, nowSeconds } from "../../platform/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { inTransaction } from "../../core/transaction.ts";
import { BUDGET_MARKS, queueAlert, raiseAlertState } from "../alerts/index.ts";
import { amountText } from "../mail/index.ts";
import { forgetRenewedBudgets, listUsedBudgets, type UsedBudget } from "./used-budgets.repository.ts";

interface BudgetAlertDeps {
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly options: OptionStore;
}

/** Queues an alert for each budget that reached a mark, once a period for each mark. Returns the number of alerts. */
export async function alertUsedBudgets(deps: BudgetAlertDeps): Promise<number> {
  const { db } = deps.database;
  const now = nowSeconds(deps.clock);
  await forgetRenewedBudgets(db, now);
  let alerts = 0;
  for (const budget of await listUsedBudgets(db, BUDGET_MARKS, now)) {
    if (await alertBudget(deps, budget, now)) alerts += 1;
  }
  return alerts;
}

/** Of several servers, one queues the alert. */
function alertBudget({ database, options }: BudgetAlertDeps, budget: UsedBudget, now: number): Promise<boolean> {
  const { id, username: user, token, amount, spent } = budget;
  const percent = BUDGET_MARKS.findLast((mark) => spent * 100 >= amount * mark) ?? BUDGET_MARKS[0];
  const period = BUDGET_PERIODS.find((known) => known === budget.period) ?? BUDGET_PERIODS[0];
  const [used, limit] = [amountText(options, spent), amountText(options, amount)];
  return inTransaction(database, async (transaction) => {
    if (!(await raiseAlertState(transaction, { kind: "budget", id, level: percent, at: now }))) return false;
    const facts = { user, ...(token === null ? {} : { token }), percent, used, limit, period };
    await queueAlert(transaction, { kind: "budget-used", ...facts }, now);
    return true;
  });
}
