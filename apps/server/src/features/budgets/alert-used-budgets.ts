import { BUDGET_PERIODS } from "@one-api/contract/budget";
import { USE_MARKS, type UseMark } from "@one-api/contract/notifications/notification-constants";
import type { OpenDatabase } from "@one-api/database/open-database";
import { type Clock, nowSeconds } from "../../platform/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { inTransaction } from "../../core/transaction.ts";
import { queueAlert, raiseAlertState } from "../alerts/index.ts";
import { amountText } from "../mail/index.ts";
import { forgetRenewedBudgets, listUsedBudgets, type UsedBudget } from "./used-budgets.repository.ts";

export interface BudgetAlertDeps {
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly options: OptionStore;
}

/**
 * Queues an alert for each budget that reached one of the marks, in ascending order, once a period for each. Returns the
 * number of alerts.
 */
export async function alertUsedBudgets(deps: BudgetAlertDeps, marks: readonly UseMark[] = USE_MARKS): Promise<number> {
  const { db } = deps.database;
  const now = nowSeconds(deps.clock);
  await forgetRenewedBudgets(db, now);
  let alerts = 0;
  for (const budget of await listUsedBudgets(db, marks, now)) {
    if (await alertBudget(deps, budget, { marks, now })) alerts += 1;
  }
  return alerts;
}

/** Returns the last of the marks that is reached. */
export function markReached(marks: readonly UseMark[], spent: number, whole: number): UseMark | undefined {
  return marks.findLast((mark) => spent * 100 >= whole * mark);
}

function alertBudget(
  { database, options }: BudgetAlertDeps,
  budget: UsedBudget,
  { marks, now }: { readonly marks: readonly UseMark[]; readonly now: number },
): Promise<boolean> {
  const { id, username: user, token, amount, spent, level: since } = budget;
  const percent = markReached(marks, spent, amount);
  if (percent === undefined) return Promise.resolve(false);
  const period = BUDGET_PERIODS.find((known) => known === budget.period) ?? BUDGET_PERIODS[0];
  const [used, limit] = [amountText(options, spent), amountText(options, amount)];
  return inTransaction(database, async (transaction) => {
    if (!(await raiseAlertState(transaction, { kind: "budget", id, level: percent, at: now }))) return false;
    const facts = { user, ...(token === null ? {} : { token }), percent, since, used, limit, period };
    await queueAlert(transaction, { kind: "budget-used", ...facts }, now);
    return true;
  });
}
