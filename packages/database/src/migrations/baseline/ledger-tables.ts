import { sql } from "kysely";
import {
  amount,
  autoId,
  deletedWith,
  flag,
  integer,
  integerKey,
  signedAmount,
  text,
  textKey,
  uniqueText,
  withDefault,
} from "../column.ts";
import { createIndex, createTable } from "../create-table.ts";
import { BALANCE_VIEWS } from "./balance-views.ts";
import { POSTGRES_ACCOUNT_TRIGGERS, POSTGRES_NOTIFY_TRIGGERS, SQLITE_ACCOUNT_TRIGGERS } from "./ledger-triggers.ts";
import type { MigrationBuilder, Statement } from "../migration.ts";

const owners = {
  id: integerKey,
  epoch: withDefault(integer, 1),
  state: withDefault(text, "live"),
  heartbeat: withDefault(integer, 0),
  applied_id: withDefault(integer, 0),
  request_id: withDefault(text, ""),
};

const shares = {
  kind: integer,
  account: integer,
  owner: integer,
  remaining: withDefault(signedAmount, 0),
  used: withDefault(signedAmount, 0),
  requests: withDefault(signedAmount, 0),
  last_used_at: withDefault(integer, 0),
  is_scarce: withDefault(flag, 0),
};

const checkpoints = {
  request_id: textKey,
  owner: integer,
  user_id: integer,
  token_id: integer,
  token_limited: flag,
  user_budget: withDefault(integer, 0),
  token_budget: withDefault(integer, 0),
  channel_id: integer,
  delivered: amount,
  created_at: integer,
  model_name: text,
  prompt_tokens: integer,
  completion_tokens: integer,
};

const budgets = {
  id: autoId,
  user_id: deletedWith(integer, "users"),
  token_id: integer,
  amount,
  period: text,
  since: integer,
};

const budgetWindows = {
  id: autoId,
  budget_id: integer,
  window_start: integer,
  removed: withDefault(signedAmount, 0),
};

const ledgerEntries = {
  id: autoId,
  created_at: integer,
  kind: text,
  request_id: text,
  user_id: integer,
  token_id: integer,
  user_amount: signedAmount,
  token_amount: signedAmount,
  note: text,
};

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
  line_count: withDefault(integer, 0),
  model_tokens: withDefault(amount, 0),
};

export function ledgerTables(builder: MigrationBuilder): readonly Statement[] {
  return [
    createTable(builder, "owners", owners).addUniqueConstraint("owners_id_epoch_unique", ["id", "epoch"]),
    createIndex(builder, "owners", ["request_id"]).unique().where(sql.ref("request_id"), "<>", sql.lit("")),
    createTable(builder, "shares", shares)
      .addPrimaryKeyConstraint("shares_primary_key", ["kind", "account", "owner"])
      .addCheckConstraint("shares_covered_check", sql`kind = 3 or remaining >= 0`),
    createIndex(builder, "shares", ["kind", "account"]).where(sql.ref("is_scarce"), "=", sql.lit(1)),
    createIndex(builder, "shares", ["owner"]).where(sql.ref("owner"), "<>", sql.lit(0)),
    createTable(builder, "checkpoints", checkpoints),
    createIndex(builder, "checkpoints", ["owner"]),
    createTable(builder, "budgets", budgets).addUniqueConstraint("budgets_of_unique", ["user_id", "token_id"]),
    createTable(builder, "budget_windows", budgetWindows).addUniqueConstraint("budget_windows_unique", [
      "budget_id",
      "window_start",
    ]),
    createTable(builder, "ledger_entries", ledgerEntries).addUniqueConstraint("ledger_entries_request_id_kind_unique", [
      "request_id",
      "kind",
    ]),
    createIndex(builder, "ledger_entries", ["token_id", "id"]),
    createIndex(builder, "ledger_entries", ["user_id", "id"]),
    createTable(builder, "batches", batches),
    createIndex(builder, "batches", ["batch_id"]),
    createIndex(builder, "batches", ["state", "checked_at"]),
    createIndex(builder, "batches", ["token_id", "created_at"]),
    createIndex(builder, "batches", ["user_id", "id"]),
    ...(builder.kind === "sqlite" ? SQLITE_ACCOUNT_TRIGGERS : onPostgres),
    ...BALANCE_VIEWS,
  ];
}

const onPostgres = [
  // Each apply updates rows of shares: room in their pages keeps the index untouched.
  sql.raw("alter table shares set (fillfactor = 70)"),
  sql.raw("create sequence owner_ids start 10 cache 1"),
  ...POSTGRES_ACCOUNT_TRIGGERS,
  ...POSTGRES_NOTIFY_TRIGGERS,
];
