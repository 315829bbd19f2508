import { integer, withDefault } from "./column.ts";
import type { MigrationStep } from "./migration.ts";

const COLUMNS = [
  ["channels", "key_expires_at"],
  ["channel_keys", "expires_at"],
] as const;

export const keyExpiry: MigrationStep = {
  name: "key-expiry",
  statements: ({ kind, schema }) =>
    COLUMNS.map(([table, name]) =>
      schema
        .alterTable(table)
        .addColumn(name, kind === "sqlite" ? "integer" : "bigint", (column) =>
          withDefault(integer, 0).build(column, name, kind),
        ),
    ),
};
