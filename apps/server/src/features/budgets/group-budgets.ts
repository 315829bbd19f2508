import type {
  GroupBudget,
  listGroupBudgets as listCall,
  setGroupBudget as setCall,
} from "@one-api/contract/limits/group-budget";
import type { QuotaLedger } from "@one-api/ledger/quota";
import type { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { nowSeconds } from "../../platform/clock.ts";
import {
  BUDGET_COLUMNS,
  type BudgetColumns,
  budgetChange,
  NO_BUDGET,
  presentBudget,
  selectBudgets,
} from "./present-budget.ts";

export interface GroupBudgetDeps {
  readonly ledger: Pick<QuotaLedger, "setBudget">;
  readonly options: Pick<OptionStore, "ratios">;
}

export async function listGroupBudgets({ database, clock }: CallContext): Promise<z.input<(typeof listCall)["data"]>> {
  const rows = await selectGroupBudgets(database.db).orderBy("budget_group").execute();
  return rows.flatMap((row) => present(row.budget_group, row, nowSeconds(clock)) ?? []);
}

/** Returns the budget of the first of these groups that has one, with the use by all users together. `time` in Unix seconds. */
export async function findBudgetOfGroups(
  queryable: Queryable,
  groups: readonly string[],
  time: number,
): Promise<GroupBudget | null> {
  const rows = await selectGroupBudgets(queryable).where("budget_group", "in", groups).execute();
  for (const group of groups) {
    const row = rows.find(({ budget_group: name }) => name === group);
    if (row !== undefined) return present(group, row, time);
  }
  return null;
}

/** Throws `user-group-unknown`. Of two changes at once, the later one counts. */
export async function setGroupBudget(
  context: CallContext,
  { ledger, options }: GroupBudgetDeps,
  { group, budget }: z.output<(typeof setCall)["body"]>,
): Promise<GroupBudget | null> {
  const at = nowSeconds(context.clock);
  const set = await inTransaction(context.database, async (transaction) => {
    const before = await findGroupBudget(transaction, group);
    if (before === undefined && !options.ratios("GroupRatio").has(group)) throw unknownGroup(group);
    await ledger.setBudget(transaction, { group, budget, at });
    const after = await findGroupBudget(transaction, group);
    const change = budgetChange(before ?? NO_BUDGET, after ?? NO_BUDGET);
    if (change.budget !== undefined)
      await recordAudit(transaction, context, { action: "group.budget", object: `group:${group}`, detail: change });
    return after;
  });
  context.changes.announce("users");
  return present(group, set ?? NO_BUDGET, at);
}

function selectGroupBudgets(queryable: Queryable) {
  return queryable
    .selectFrom(selectBudgets(queryable))
    .select(["budget_group", ...BUDGET_COLUMNS])
    .where("budget_group", "<>", "");
}

function findGroupBudget(queryable: Queryable, group: string) {
  return selectGroupBudgets(queryable).where("budget_group", "=", group).executeTakeFirst();
}

function present(group: string, row: BudgetColumns, time: number): GroupBudget | null {
  const budget = presentBudget(row, time);
  return budget && { group, budget };
}

function unknownGroup(group: string): AppError {
  return new AppError("user-group-unknown", `There is no group ${group}. Give it a ratio in GroupRatio first.`, {
    field: "group",
    values: { group },
  });
}
