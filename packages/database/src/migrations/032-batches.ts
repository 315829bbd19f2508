import { amount, autoId, flag, integer, text, uniqueText } from "./column.ts";
import { createIndex, createTable } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

const batches = {
  id: autoId,
  request_id: uniqueText,
  batch_id: text,
  state: text,
  user_id: integer,
  username: text,
  token_id: integer,
  token_name: text,
  token_unlimited: flag,
  channel_id: integer,
  model: text,
  endpoint: text,
  source_file_id: text,
  input_file_id: text,
  reserved: amount,
  terms: text,
  line_bounds: text,
  data: text,
  created_at: integer,
  checked_at: integer,
};

/** Files of requests that a provider answers later, and whose they are. */
export const batchTables: Migration = {
  number: 32,
  name: "batches",
  statements: (builder: MigrationBuilder) => [
    createTable(builder, "batches", batches),
    createIndex(builder, "batches", ["user_id", "id"]),
    createIndex(builder, "batches", ["state", "checked_at"]),
    createIndex(builder, "batches", ["batch_id"]),
  ],
};
