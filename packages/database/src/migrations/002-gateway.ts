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
} from "./column.ts";
import { createIndex, createTable } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

const tokens = {
  id: autoId,
  user_id: integer,
  name: text,
  key_hmac: uniqueText,
  key_cipher: text,
  status: integer,
  created_time: integer,
  accessed_time: withDefault(integer, 0),
  expired_time: integer,
  remain_quota: amount,
  unlimited_quota: flag,
  used_quota: withDefault(amount, 0),
  models: text,
  subnet: text,
  rpm_limit: amount,
  dpm_limit: amount,
  tpm_limit: amount,
  email: text,
  custom_contact: text,
  moderations_enable: flag,
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
};

const channelModels = { group: text, model: text, channel_id: deletedWith(integer, "channels") };

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

const options = { key: textKey, value: text };

/** Callers' keys, connections to providers, codes and settings. */
export const gateway: Migration = {
  number: 2,
  name: "gateway",
  statements: (builder: MigrationBuilder) => [
    createTable(builder, "tokens", tokens),
    createIndex(builder, "tokens", ["user_id", "id"]),
    createTable(builder, "channels", channels),
    createTable(builder, "channel_models", channelModels).addPrimaryKeyConstraint("channel_models_primary_key", [
      "group",
      "model",
      "channel_id",
    ]),
    createIndex(builder, "channel_models", ["channel_id"]),
    createTable(builder, "redemptions", redemptions),
    createTable(builder, "options", options),
  ],
};
