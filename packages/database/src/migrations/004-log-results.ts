import { sql } from "kysely";
import { integer, text, withDefault } from "./column.ts";
import { addColumn, createIndex } from "./create-table.ts";
import type { Migration } from "./migration.ts";

/** How relayed requests ended, in the log. */
export const logResults: Migration = {
  number: 4,
  name: "log-results",
  statements: (builder) => [
    addColumn(builder, "logs", "result", withDefault(text, "")),
    addColumn(builder, "logs", "status_code", withDefault(integer, 0)),
    // Nearly all rows went well: only what is looked for costs an index entry. A query must name both conditions to use it.
    createIndex(builder, "logs", ["result", "id"])
      .where(sql.ref("result"), "<>", sql.lit("ok"))
      .where(sql.ref("result"), "<>", sql.lit("")),
  ],
};
