import { sql } from "kysely";
import {
  amount,
  autoId,
  deletedWith,
  flag,
  integer,
  integerOrNull,
  real,
  text,
  textKey,
  uniqueText,
  withDefault,
} from "../column.ts";
import { createIndex, createTable, createUniqueIndexUnlessEmpty } from "../create-table.ts";
import type { MigrationBuilder, Statement } from "../migration.ts";

const options = {
  key: textKey,
  value: text,
};

const priceLists = {
  version: textKey,
  in_use: flag,
  fetched_at: integer,
  program: text,
  data: text,
};

const tokens = {
  id: autoId,
  user_id: integer,
  name: text,
  key_hmac: uniqueText,
  key_cipher: text,
  status: integer,
  created_time: integer,
  expired_time: integer,
  unlimited_quota: flag,
  models: text,
  subnet: text,
  rpm_limit: amount,
  dpm_limit: amount,
  tpm_limit: amount,
  email: text,
  custom_contact: text,
  moderations_enable: flag,
  flagged_count: withDefault(amount, 0),
  quota_ceiling: withDefault(amount, 0),
  keep_bodies: withDefault(flag, 0),
  old_key_hmac: withDefault(text, ""),
  old_key_ends_at: withDefault(integer, 0),
};

const redemptions = {
  id: autoId,
  user_id: integer,
  name: text,
  key_hmac: uniqueText,
  key_cipher: text,
  status: integer,
  quota: amount,
  created_time: integer,
  redeemed_time: withDefault(integer, 0),
  redeemed_by: integerOrNull,
};

const channels = {
  id: autoId,
  type: integer,
  name: text,
  key_cipher: text,
  status: integer,
  status_reason: withDefault(text, ""),
  base_url: text,
  other: text,
  models: text,
  group: text,
  model_mapping: text,
  system_prompt: text,
  organization: text,
  soft_limit_usd: real,
  calc_prompt: flag,
  config: text,
  config_cipher: text,
  priority: integer,
  weight: amount,
  created_time: integer,
  test_time: withDefault(integer, 0),
  response_time: withDefault(integer, 0),
  balance: withDefault(real, 0),
  balance_updated_time: withDefault(integer, 0),
  awake_time: withDefault(integer, 0),
  used_quota: withDefault(amount, 0),
  soft_limit_base_quota: withDefault(amount, 0),
  last_test: withDefault(text, ""),
  status_hint: withDefault(text, ""),
  provider_models: withDefault(text, ""),
  tags: withDefault(text, ""),
  costs: withDefault(text, ""),
};

const channelModels = {
  group: text,
  model: text,
  channel_id: deletedWith(integer, "channels"),
};

const channelDecisions = {
  id: autoId,
  channel_id: deletedWith(integer, "channels"),
  kind: text,
  model: text,
  code: text,
  message: text,
  first_at: integer,
  last_at: integer,
  until: integer,
  times: integer,
  undone_at: withDefault(integer, 0),
  parts: withDefault(text, ""),
};

const savedViews = {
  id: autoId,
  user_id: deletedWith(integer, "users"),
  page: text,
  name: text,
  search: text,
  created_at: integer,
  is_shared: withDefault(flag, 0),
};

const defaultViews = {
  user_id: deletedWith(integer, "users"),
  page: text,
  view_id: deletedWith(integer, "saved_views"),
};

export function gatewayTables(builder: MigrationBuilder): readonly Statement[] {
  return [
    createTable(builder, "options", options),
    createTable(builder, "price_lists", priceLists),
    createTable(builder, "tokens", tokens),
    createUniqueIndexUnlessEmpty(builder, "tokens", "old_key_hmac"),
    createIndex(builder, "tokens", ["user_id", "id"]),
    // Few tokens have an address, and these are read every few seconds.
    builder.schema
      .createIndex("tokens_with_email_index")
      .on("tokens")
      .column("id")
      .where(sql.ref("email"), "<>", sql.lit("")),
    createTable(builder, "redemptions", redemptions),
    createTable(builder, "channels", channels),
    createTable(builder, "channel_models", channelModels).addPrimaryKeyConstraint("channel_models_primary_key", [
      "group",
      "model",
      "channel_id",
    ]),
    createIndex(builder, "channel_models", ["channel_id"]),
    createTable(builder, "channel_decisions", channelDecisions),
    createIndex(builder, "channel_decisions", ["channel_id", "id"]),
    createTable(builder, "saved_views", savedViews).addUniqueConstraint("saved_views_name_unique", [
      "user_id",
      "page",
      "name",
    ]),
    createTable(builder, "default_views", defaultViews).addPrimaryKeyConstraint("default_views_primary_key", [
      "user_id",
      "page",
    ]),
  ];
}
