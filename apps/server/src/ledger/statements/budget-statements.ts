import type { Tables } from "@one-api/database/tables";
import type { Kysely } from "kysely";
import type { BudgetUseRow } from "../budgets/budget-book.ts";
import { prepareForMany, prepareInsert, prepareStatement } from "./prepared-statement.ts";

const useTemplate: BudgetUseRow = { request_id: "", user_id: 0, token_id: 0, window_start: 0, amount: 0 };
const USE_COLUMNS = ["request_id", "user_id", "token_id", "window_start", "amount"] as const;
const BUDGET_COLUMNS = ["user_id", "token_id", "amount", "period", "since", "window_start", "spent"] as const;

/** The statements that only requests of accounts with a budget run. */
export function prepareBudgetStatements(db: Kysely<Tables>) {
  return {
    /** The user's own budget and the token's. Who changes them holds the user's balance first. */
    readBudgets: prepareStatement<"userId" | "tokenId">((p) =>
      db
        .selectFrom("budgets")
        .select(BUDGET_COLUMNS)
        .where("user_id", "=", p.number("userId"))
        .where((row) => row.or([row("token_id", "=", 0), row("token_id", "=", p.number("tokenId"))])),
    ),
    spendBudget: prepareStatement<"userId" | "tokenId" | "windowStart" | "spent">((p) =>
      db
        .updateTable("budgets")
        .set({ window_start: p.number("windowStart"), spent: p.number("spent") })
        .where("user_id", "=", p.number("userId"))
        .where("token_id", "=", p.number("tokenId")),
    ),
    deleteBudgetUses: prepareForMany((requestIds) =>
      db.deleteFrom("budget_uses").where("request_id", "in", requestIds).returning(USE_COLUMNS),
    ),
    insertBudgetUses: prepareInsert(USE_COLUMNS, useTemplate, (rows) => db.insertInto("budget_uses").values(rows)),
  };
}
