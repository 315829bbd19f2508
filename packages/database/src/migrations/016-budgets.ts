import { amount, deletedWith, integer, text } from "./column.ts";
import { createIndex, createTable } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

const budgets = {
  user_id: deletedWith(integer, "users"),
  token_id: integer,
  amount,
  period: text,
  since: integer,
  window_start: integer,
  spent: amount,
};

const budgetUses = {
  request_id: text,
  user_id: integer,
  token_id: integer,
  window_start: integer,
  amount,
};

/** What users and tokens may spend in each day, week or month, and which requests count in the one that runs. */
export const budgetTables: Migration = {
  number: 16,
  name: "budgets",
  statements: (builder: MigrationBuilder) => [
    createTable(builder, "budgets", budgets).addPrimaryKeyConstraint("budgets_primary_key", ["user_id", "token_id"]),
    createTable(builder, "budget_uses", budgetUses).addPrimaryKeyConstraint("budget_uses_primary_key", [
      "request_id",
      "token_id",
    ]),
    createIndex(builder, "budget_uses", ["user_id", "token_id", "window_start"]),
  ],
};
