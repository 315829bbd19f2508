import { integer, text, withDefault } from "./column.ts";
import { addColumn } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

/** What relayed requests cost the operator, and when their first byte came, as columns that can be added up. */
export const costs: Migration = {
  number: 20,
  name: "costs",
  statements: (builder: MigrationBuilder) => [
    addColumn(builder, "logs", "cost", withDefault(integer, -1)),
    addColumn(builder, "logs", "first_byte_ms", withDefault(integer, 0)),
    addColumn(builder, "channels", "costs", withDefault(text, "")),
  ],
};
