import { amount, integer, withDefault } from "./column.ts";
import { addColumn, createIndex } from "./create-table.ts";
import type { Migration } from "./migration.ts";

/** How large batches are, so that a token's limits can hold them. */
export const batchSizes: Migration = {
  number: 35,
  name: "batch-sizes",
  statements: (builder) => [
    addColumn(builder, "batches", "line_count", withDefault(integer, 0)),
    addColumn(builder, "batches", "model_tokens", withDefault(amount, 0)),
    createIndex(builder, "batches", ["token_id", "created_at"]),
  ],
};
