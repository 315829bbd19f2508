import { autoId, deletedWith, integer, real, text } from "./column.ts";
import { createIndex, createTable } from "./create-table.ts";
import type { MigrationStep } from "./migration.ts";

const rules = {
  id: autoId,
  user_id: deletedWith(integer, "users"),
  metric: text,
  direction: text,
  threshold: real,
  window_minutes: integer,
  receiver_id: integer,
  of_user_id: integer,
  of_channel_id: integer,
  of_model: text,
  of_token: text,
  of_alias: text,
  checked_at: integer,
  created_at: integer,
};

export const alertRules: MigrationStep = {
  name: "alert-rules",
  statements: (builder) => [
    createTable(builder, "alert_rules", rules),
    createIndex(builder, "alert_rules", ["user_id"]),
    createIndex(builder, "alert_rules", ["checked_at"]),
  ],
};
