import { amount, autoId, flag, integer, signedAmount, text, textKey, withDefault } from "./column.ts";
import { createIndex, createTable } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

const ledgerEntries = {
  id: autoId,
  created_at: integer,
  kind: text,
  request_id: text,
  user_id: integer,
  token_id: integer,
  channel_id: integer,
  user_amount: signedAmount,
  token_amount: signedAmount,
  shortfall: amount,
  note: text,
};

const reservations = {
  request_id: textKey,
  user_id: integer,
  token_id: integer,
  user_amount: amount,
  token_amount: amount,
  delivered_quota: withDefault(amount, 0),
  channel_id: withDefault(integer, 0),
  instance_id: text,
  created_at: integer,
};

const instances = { id: textKey, started_at: integer, beat_at: integer };

const logs = {
  id: autoId,
  user_id: integer,
  created_at: integer,
  type: integer,
  content: text,
  username: text,
  token_name: text,
  model_name: text,
  quota: signedAmount,
  prompt_tokens: integer,
  completion_tokens: integer,
  channel_id: integer,
  request_id: text,
  elapsed_time: integer,
  is_stream: flag,
  detail: text,
};

const audit = {
  id: autoId,
  created_at: integer,
  actor_id: integer,
  actor_name: text,
  actor_role: integer,
  address: text,
  action: text,
  object: text,
  detail: text,
};

/** What was charged, what is set aside, who is running, and what people see of it. */
export const ledger: Migration = {
  number: 3,
  name: "ledger",
  statements: (builder: MigrationBuilder) => [
    createTable(builder, "ledger_entries", ledgerEntries).addUniqueConstraint("ledger_entries_request_id_kind_unique", [
      "request_id",
      "kind",
    ]),
    createIndex(builder, "ledger_entries", ["user_id", "id"]),
    createIndex(builder, "ledger_entries", ["token_id", "id"]),
    // Only requests in flight have rows here: nothing to gain from more indexes, and every request would pay for them.
    createTable(builder, "reservations", reservations),
    createTable(builder, "instances", instances),
    createTable(builder, "logs", logs),
    createIndex(builder, "logs", ["created_at"]),
    createIndex(builder, "logs", ["request_id"]),
    ...["user_id", "type", "model_name", "token_name", "username", "channel_id"].map((column) =>
      createIndex(builder, "logs", [column, "id"]),
    ),
    createTable(builder, "audit", audit),
    createIndex(builder, "audit", ["created_at"]),
    createIndex(builder, "audit", ["actor_id", "id"]),
  ],
};
