import { sql } from "kysely";
import type { Migration, MigrationBuilder } from "./migration.ts";

const TABLES = [
  "log_batches",
  "log_group_texts",
  "log_names",
  "usage_parts",
  "usage_tokens",
  "usage_of_users",
  "usage_pending",
  "usage_progress",
  "usage_corrections",
];

/** The log store answers what these tables summed up. */
export const dropLogSummaries: Migration = {
  number: 55,
  name: "drop-log-summaries",
  statements: ({ kind }: MigrationBuilder) => [
    ...(kind === "sqlite"
      ? [sql.raw("drop trigger logs_delete_batches"), sql.raw("drop trigger logs_update_batches")]
      : [sql.raw("drop trigger logs_batches on logs"), sql.raw("drop function forget_log_batches()")]),
    ...TABLES.map((table) => sql.raw(`drop table ${table}`)),
  ],
};
