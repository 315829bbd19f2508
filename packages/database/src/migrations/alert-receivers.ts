import { amount, autoId, deletedWith, flag, integer, text, withDefault } from "./column.ts";
import { createIndex, createTable } from "./create-table.ts";
import type { MigrationStep } from "./migration.ts";

const receivers = {
  id: autoId,
  name: text,
  kind: text,
  address_cipher: text,
  secret_cipher: text,
  alerts: text,
  language: text,
  quiet_start: text,
  quiet_end: text,
  time_zone: text,
  enabled: flag,
  created_at: integer,
};

const deliveries = {
  id: autoId,
  receiver_id: deletedWith(integer, "alert_receivers"),
  created_at: integer,
  alerts: text,
  count: amount,
  status: text,
  attempts: withDefault(integer, 0),
  next_at: integer,
  delivered_at: withDefault(integer, 0),
  error: withDefault(text, ""),
};

export const alertReceivers: MigrationStep = {
  name: "alert-receivers",
  statements: (builder) => [
    createTable(builder, "alert_receivers", receivers),
    createTable(builder, "alert_deliveries", deliveries),
    createIndex(builder, "alert_deliveries", ["receiver_id"]),
    createIndex(builder, "alert_deliveries", ["status", "next_at"]),
  ],
};
