import { sql } from "kysely";
import { integer, text } from "./column.ts";
import { createTable } from "./create-table.ts";
import type { Migration } from "./migration.ts";

const logGroupTexts = { level: integer, batch: integer, view: integer, part: integer, groups: text };

/**
 * Groups of the log stand in a few texts of each batch and block: with ten thousand users a row for each group was most of what grouping cost, and of
 * the room it took. All are made again, beside requests.
 */
export const logGroupTextTable: Migration = {
  number: 49,
  name: "log-group-texts",
  statements: (builder) => [
    sql`delete from log_batches`,
    builder.schema.dropTable("log_groups"),
    builder.schema.dropTable("log_channel_groups"),
    createTable(builder, "log_group_texts", logGroupTexts).addPrimaryKeyConstraint("log_group_texts_primary_key", [
      "level",
      "batch",
      "view",
      "part",
    ]),
  ],
};
