import { sql } from "kysely";
import { amount, autoId, flag, integer, signedAmount, text, withDefault } from "../column.ts";
import { createTable } from "../create-table.ts";
import type { MigrationBuilder, Statement } from "../migration.ts";

const USAGE_SUMS = [
  "requests",
  "refused",
  "errors",
  "quota",
  "cost",
  "unknown_requests",
  "unknown_quota",
  "prompt_tokens",
  "completion_tokens",
  "cached_tokens",
];

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
  result: withDefault(text, ""),
  status_code: withDefault(integer, 0),
  token_id: withDefault(integer, 0),
  token_amount: withDefault(amount, 0),
  shortfall: withDefault(amount, 0),
  hidden: withDefault(flag, 0),
  cost: withDefault(integer, -1),
  first_byte_ms: withDefault(integer, 0),
  owner: withDefault(integer, 0),
  user_budget: withDefault(integer, 0),
  token_budget: withDefault(integer, 0),
  cached_tokens: withDefault(amount, 0),
};

const logChanges = {
  id: autoId,
  first_id: integer,
  last_id: integer,
  first_day: integer,
  last_day: integer,
  created_at: integer,
};

const clearedUsage = {
  kind: integer,
  day: integer,
  user_id: integer,
  token_name: text,
  model_name: text,
  channel_id: integer,
  ...Object.fromEntries(USAGE_SUMS.map((name) => [name, withDefault(signedAmount, 0)])),
};

/** The log (also the journal of the ledger), its changes, and the usage of removed entries. */
export function logsTables(builder: MigrationBuilder): readonly Statement[] {
  return [
    createTable(builder, "logs", logs),
    // One charge and one refund per request. Requests write no other index: lists read the log store.
    sql.raw("create unique index logs_charged_request_unique on logs (request_id) where type = 2 and request_id <> ''"),
    sql.raw(
      "create unique index logs_refunded_request_unique on logs (request_id) where type = 6 and request_id <> ''",
    ),
    createTable(builder, "log_changes", logChanges),
    // Never empty, so that a replica can tell whether it lacks changes.
    sql.raw("insert into log_changes (first_id, last_id, first_day, last_day, created_at) values (0, 0, 0, 0, 0)"),
    createTable(builder, "cleared_usage", clearedUsage).addPrimaryKeyConstraint("cleared_usage_primary_key", [
      "kind",
      "day",
      "user_id",
      "token_name",
      "model_name",
      "channel_id",
    ]),
  ];
}
