import { amount, autoId, integer, text, withDefault } from "../column.ts";
import { createIndex, createTable } from "../create-table.ts";
import type { MigrationBuilder, Statement } from "../migration.ts";

const outbox = {
  id: autoId,
  created_at: integer,
  recipient: text,
  message: text,
  attempts: withDefault(amount, 0),
  due_at: integer,
};

const pendingAlerts = {
  id: autoId,
  created_at: integer,
  kind: text,
  facts: text,
};

const alertStates = {
  kind: text,
  id: integer,
  level: amount,
  at: integer,
};

export function messagesTables(builder: MigrationBuilder): readonly Statement[] {
  return [
    createTable(builder, "outbox", outbox),
    createIndex(builder, "outbox", ["due_at"]),
    createTable(builder, "pending_alerts", pendingAlerts),
    createTable(builder, "alert_states", alertStates).addPrimaryKeyConstraint("alert_states_primary_key", [
      "kind",
      "id",
    ]),
  ];
}
