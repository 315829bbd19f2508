import { sql } from "kysely";
import { amount, withDefault } from "./column.ts";
import { addColumn } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

/** Rows start with nothing: whoever adds one names no balance, and the ledger gives it what it gets. */
export const balanceDefaults: Migration = {
  number: 6,
  name: "balance-defaults",
  statements: (builder) => [
    ...startAtZero(builder, "users", "quota"),
    ...startAtZero(builder, "tokens", "remain_quota"),
  ],
};

/** SQLite cannot change a column's default: a column that has it takes the place of the one that has none. */
function startAtZero(builder: MigrationBuilder, table: string, column: string) {
  const { schema, kind } = builder;
  if (kind === "postgres") return [schema.alterTable(table).alterColumn(column, (change) => change.setDefault(0))];
  const replacement = `${column}_from_zero`;
  return [
    addColumn(builder, table, replacement, withDefault(amount, 0)),
    sql`update ${sql.table(table)} set ${sql.ref(replacement)} = ${sql.ref(column)}`,
    schema.alterTable(table).dropColumn(column),
    schema.alterTable(table).renameColumn(replacement, column),
  ];
}
