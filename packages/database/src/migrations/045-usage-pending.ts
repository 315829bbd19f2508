import { integer, text } from "./column.ts";
import { createTable } from "./create-table.ts";
import type { Migration } from "./migration.ts";

/** What is added to the sums of users waits here, so that a row of them is written once for many steps. */
export const usagePendingTable: Migration = {
  number: 45,
  name: "usage-pending",
  statements: (builder) => [
    createTable(builder, "usage_pending", { bucket: integer, step: integer, sums: text }).addPrimaryKeyConstraint(
      "usage_pending_primary_key",
      ["bucket", "step"],
    ),
  ],
};
