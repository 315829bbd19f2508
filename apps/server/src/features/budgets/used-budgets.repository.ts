import { BUDGET_PERIODS, periodStart } from "@one-api/contract/budget";
import { type SqlBool, sql } from "kysely";
import type { Queryable } from "../../core/transaction.ts";

export interface UsedBudget {
  readonly id: number;
  readonly username: string;
  readonly token: string | null;
  readonly amount: number;
  readonly period: string;
  readonly spent: number;
  readonly level: number;
}

/** Budgets of one query. The next run handles the rest. */
const MOST_BUDGETS = 500;

function isCurrent(now: number) {
  const starts = BUDGET_PERIODS.map(
    (period) => sql<SqlBool>`(budgets.period = ${period} and budget_uses.window_start >= ${periodStart(period, now)})`,
  );
  return sql<SqlBool>`(${sql.join(starts, sql` or `)})`;
}

/** Budgets of which a mark, in percent, was reached that was not reported. `now` in Unix seconds. */
export function listUsedBudgets(queryable: Queryable, marks: readonly number[], now: number): Promise<UsedBudget[]> {
  const reached = marks.map(
    (mark) => sql<SqlBool>`(budget_uses.spent * 100 >= budgets.amount * ${sql.lit(mark)}
    and coalesce(sent.level, 0) < ${sql.lit(mark)})`,
  );
  return queryable
    .selectFrom("budgets")
    .innerJoin("budget_uses", "budget_uses.budget_id", "budgets.id")
    .innerJoin("users", "users.id", "budgets.user_id")
    .leftJoin("tokens", "tokens.id", "budgets.token_id")
    .leftJoin("alert_states as sent", (join) => join.onRef("sent.id", "=", "budgets.id").on("sent.kind", "=", "budget"))
    .select(["budgets.id", "users.username", "tokens.name as token", "amount", "period", "spent"])
    .select(sql<number>`coalesce(sent.level, 0)`.as("level"))
    .where(isCurrent(now))
    .where(sql<SqlBool>`(${sql.join(reached, sql` or `)})`)
    .orderBy("budgets.id")
    .limit(MOST_BUDGETS)
    .execute();
}

/** Forgets reports of budgets that are used less again: in a new period, or after a change. */
export async function forgetRenewedBudgets(queryable: Queryable, now: number): Promise<void> {
  await queryable
    .deleteFrom("alert_states")
    .where("kind", "=", "budget")
    .where(
      sql<SqlBool>`not exists (select 1 from budgets join budget_uses on budget_uses.budget_id = budgets.id
        where budgets.id = alert_states.id and ${isCurrent(now)}
          and budget_uses.spent * 100 >= budgets.amount * alert_states.level)`,
    )
    .execute();
}
