import { integerKey, text } from "./column.ts";
import { createTable } from "./create-table.ts";
import type { Migration } from "./migration.ts";

/** What commits changed of balances, until it is added to them: on SQLite, where changing many rows in each commit costs more than all else in it. */
export const balanceChanges: Migration = {
  number: 43,
  name: "balance-changes",
  statements: (builder) => [createTable(builder, "balance_changes", { id: integerKey, changes: text })],
};
