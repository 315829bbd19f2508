import { amount, integer, integerKey, signedAmount, text } from "./column.ts";
import { createIndex, createTable } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

const logBatches = {
  batch: integerKey,
  last_id: integer,
  newest: integer,
  oldest_bucket: integer,
};

const logGroups = {
  level: integer,
  batch: integer,
  view: integer,
  user_id: integer,
  username: text,
  token_name: text,
  model_name: text,
  channel_id: integer,
  type: integer,
  result: text,
  bucket: integer,
  entries: amount,
  quota: signedAmount,
  tokens: signedAmount,
  ids: text,
};

const logNames = { kind: text, name: text, user_id: integer };

/** Indexes of the log by what one looks for; every relayed request paid for them. */
const DROPPED = ["user_id", "type", "model_name", "token_name", "username", "channel_id", "result"];

/** What the log's lists, filters and totals are read from; a job fills it beside requests. */
export const logGroupTables: Migration = {
  number: 9,
  name: "log-groups",
  statements: (builder: MigrationBuilder) => [
    createTable(builder, "log_batches", logBatches),
    createIndex(builder, "log_batches", ["newest", "batch"]),
    createTable(builder, "log_groups", logGroups),
    createIndex(builder, "log_groups", ["level", "batch", "view", "user_id", "token_name"]),
    createTable(builder, "log_names", logNames).addPrimaryKeyConstraint("log_names_primary_key", [
      "kind",
      "name",
      "user_id",
    ]),
    ...DROPPED.map((column) => builder.schema.dropIndex(`logs_${column}_id_index`).ifExists()),
  ],
};
