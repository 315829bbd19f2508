import type { OpenDatabase } from "@one-api/database/open-database";
import { sql } from "kysely";

/** Removes uses of budgets whose period is over, and of budgets that are not there any more: nothing counts them. */
export async function forgetOldBudgetUses({ db }: OpenDatabase): Promise<void> {
  await db
    .deleteFrom("budget_uses")
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom("budgets")
            .select("budgets.user_id")
            .whereRef("budgets.user_id", "=", "budget_uses.user_id")
            .whereRef("budgets.token_id", "=", "budget_uses.token_id")
            .where(sql<boolean>`budgets.window_start <= budget_uses.window_start`),
        ),
      ),
    )
    .execute();
}
