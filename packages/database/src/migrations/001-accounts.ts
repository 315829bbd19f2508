import {
  amount,
  autoId,
  deletedWith,
  flag,
  integer,
  integerOrNull,
  text,
  textKey,
  uniqueText,
  uniqueTextOrNull,
  withDefault,
} from "./column.ts";
import { createIndex, createTable, createUniqueIndexUnlessEmpty } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

const users = {
  id: autoId,
  username: uniqueText,
  password_hash: text,
  password_is_default: withDefault(flag, 0),
  display_name: text,
  role: integer,
  status: integer,
  email: text,
  github_id: text,
  wechat_id: text,
  lark_id: text,
  access_token_hash: uniqueTextOrNull,
  group: text,
  quota: amount,
  used_quota: withDefault(amount, 0),
  request_count: withDefault(amount, 0),
  aff_code: uniqueTextOrNull,
  inviter_id: integerOrNull,
  created_at: integer,
};

const sessions = {
  id_hash: textKey,
  user_id: deletedWith(integer, "users"),
  created_at: integer,
  last_seen_at: integer,
  expires_at: integer,
  address: text,
  user_agent: text,
};

const loginFailures = { subject: textKey, failures: amount, last_failure_at: integer, blocked_until: integer };

/** People, their browsers' logins, and the failed ones. */
export const accounts: Migration = {
  number: 1,
  name: "accounts",
  statements: (builder: MigrationBuilder) => [
    createTable(builder, "users", users),
    createUniqueIndexUnlessEmpty(builder, "users", "github_id"),
    createUniqueIndexUnlessEmpty(builder, "users", "wechat_id"),
    createUniqueIndexUnlessEmpty(builder, "users", "lark_id"),
    createIndex(builder, "users", ["email"]),
    createTable(builder, "sessions", sessions),
    createIndex(builder, "sessions", ["user_id"]),
    createIndex(builder, "sessions", ["expires_at"]),
    createTable(builder, "login_failures", loginFailures),
    createIndex(builder, "login_failures", ["last_failure_at"]),
  ],
};
