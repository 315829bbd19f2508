import { amount, integer, integerKey, signedAmount, text } from "./column.ts";
import { createTable } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

const usageSlots = { view: integer, level: integer, slot: integer, sums: text };

const usageOfUsers = {
  user_id: integer,
  slot: integer,
  token_name: text,
  model_name: text,
  requests: amount,
  refused: amount,
  errors: amount,
  quota: signedAmount,
  cost: amount,
  unknown_requests: amount,
  unknown_quota: signedAmount,
  prompt_tokens: amount,
  completion_tokens: amount,
  timed: amount,
  first_log: amount,
};

const usageProgress = { id: integerKey, last_id: integer, newest_slot: integer };

/** What the dashboard is read from: sums of the log by half hours, which a job adds up beside requests. */
export const usageSums: Migration = {
  number: 21,
  name: "usage-sums",
  statements: (builder: MigrationBuilder) => [
    createTable(builder, "usage_slots", usageSlots).addPrimaryKeyConstraint("usage_slots_primary_key", [
      "view",
      "level",
      "slot",
    ]),
    createTable(builder, "usage_of_users", usageOfUsers).addPrimaryKeyConstraint("usage_of_users_primary_key", [
      "user_id",
      "slot",
      "token_name",
      "model_name",
    ]),
    createTable(builder, "usage_progress", usageProgress),
  ],
};
