import { sql } from "kysely";
import { autoId, flag, integer, text, withDefault } from "./column.ts";
import { addColumn, createTable } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

const usageParts = { view: integer, level: integer, slot: integer, part: integer, sums: text };

/** What of an entry of the log is added up. */
const usageCorrections = {
  id: autoId,
  user_id: integer,
  created_at: integer,
  token_name: text,
  model_name: text,
  channel_id: integer,
  quota: integer,
  cost: integer,
  prompt_tokens: integer,
  completion_tokens: integer,
  is_stream: flag,
  result: text,
  status_code: integer,
  first_byte_ms: integer,
};

/**
 * Sums of a span stand in parts, each a few ms of work: what is added later is one more. Entries that are in the sums and were booked anew since
 * are taken out of them.
 */
export const usagePartTables: Migration = {
  number: 24,
  name: "usage-parts",
  statements: (builder: MigrationBuilder) => [
    createTable(builder, "usage_parts", usageParts).addPrimaryKeyConstraint("usage_parts_primary_key", [
      "view",
      "level",
      "slot",
      "part",
    ]),
    sql`insert into usage_parts (view, level, slot, part, sums) select view, level, slot, 0, sums from usage_slots`,
    builder.schema.dropTable("usage_slots"),
    createTable(builder, "usage_corrections", usageCorrections),
    addColumn(builder, "usage_progress", "steps", withDefault(integer, 0)),
    sql`insert into usage_progress (id, last_id, newest_slot) select 1, 0, -1 where not exists (select 1 from usage_progress)`,
  ],
};
