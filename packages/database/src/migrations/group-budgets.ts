import { sql } from "kysely";
import { budgetUses } from "./baseline/balance-views.ts";
import { amount, autoId, deletedWith, integer, integerOrNull, text, withDefault } from "./column.ts";
import { createTable, createUniqueIndexUnlessEmpty } from "./create-table.ts";
import type { MigrationBuilder, MigrationStep, Statement } from "./migration.ts";

/** Budgets of groups, and the window of one that a charge counts in. Servers of the release before count in none. */
export const groupBudgets: MigrationStep = {
  name: "group-budgets",
  statements: (builder) => [
    ...["logs", "checkpoints"].map((table) =>
      sql.raw(
        `alter table ${table} add column group_budget ${builder.kind === "sqlite" ? "integer" : "bigint"} not null default 0`,
      ),
    ),
    sql.raw("drop view budget_uses"),
    ...(builder.kind === "sqlite" ? rebuildBudgets(builder) : ALTER_BUDGETS),
    createUniqueIndexUnlessEmpty(builder, "budgets", "group_name"),
    budgetUses(["user_budget", "token_budget", "group_budget"]),
  ],
};

/** SQLite cannot drop `not null` of a column. Ids are not reused: windows of removed budgets name them. */
function rebuildBudgets(builder: MigrationBuilder): readonly Statement[] {
  const columns = {
    id: autoId,
    user_id: deletedWith(integerOrNull, "users"),
    token_id: integer,
    amount,
    period: text,
    since: integer,
    group_name: withDefault(text, ""),
  };
  return [
    createTable(builder, "budgets_of_all", columns).addUniqueConstraint("budgets_of_unique", ["user_id", "token_id"]),
    sql.raw(`insert into budgets_of_all (id, user_id, token_id, amount, period, since)
      select id, user_id, token_id, amount, period, since from budgets`),
    sql.raw("delete from sqlite_sequence where name = 'budgets_of_all'"),
    sql.raw(`insert into sqlite_sequence (name, seq)
      select 'budgets_of_all', seq from sqlite_sequence where name = 'budgets'`),
    sql.raw("drop table budgets"),
    sql.raw("alter table budgets_of_all rename to budgets"),
  ];
}

/** Servers forget all callers after the change of a group's budget: its row has no user. */
const ALTER_BUDGETS = [
  sql.raw("alter table budgets alter column user_id drop not null"),
  sql.raw("alter table budgets add column group_name text not null default ''"),
  sql.raw(`create or replace function notify_of_caller() returns trigger language plpgsql as $$
    begin
      perform pg_notify('one_api_callers', 'changed ' || coalesce(changed.line ->> tg_argv[0], 'all'))
        from unnest(array[to_jsonb(old), to_jsonb(new)]) as changed (line) where changed.line is not null;
      return null;
    end $$`),
];
