import {
  amount,
  autoId,
  deletedWith,
  flag,
  integer,
  integerKey,
  integerOrNull,
  text,
  textKey,
  uniqueText,
  uniqueTextOrNull,
  withDefault,
} from "../column.ts";
import { createIndex, createTable, createUniqueIndexUnlessEmpty } from "../create-table.ts";
import type { MigrationBuilder, Statement } from "../migration.ts";

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
  aff_code: uniqueTextOrNull,
  inviter_id: integerOrNull,
  created_at: integer,
  language: withDefault(text, ""),
  oidc_id: withDefault(text, ""),
  access_token_created_at: withDefault(integer, 0),
  access_token_used_at: withDefault(integer, 0),
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

const loginFailures = {
  subject: textKey,
  failures: amount,
  last_failure_at: integer,
  blocked_until: integer,
};

const totpFactors = {
  user_id: deletedWith(integerKey, "users"),
  key_cipher: text,
  confirmed_at: integer,
  last_step: amount,
};

const recoveryCodes = {
  user_id: deletedWith(integer, "users"),
  code_hash: text,
};

const passkeys = {
  id: autoId,
  user_id: deletedWith(integer, "users"),
  credential_id: uniqueText,
  public_key: text,
  counter: amount,
  name: text,
  created_at: integer,
  last_used_at: withDefault(integer, 0),
};

const oauthStates = {
  state_hash: textKey,
  browser_hash: text,
  user_id: integer,
  expires_at: integer,
  provider: withDefault(text, ""),
  invitation_hmac: withDefault(text, ""),
};

const emailCodes = {
  purpose: text,
  email: text,
  requester: text,
  code_hash: text,
  tries_left: amount,
  others_tries_left: amount,
  expires_at: integer,
};

const requestCounts = {
  subject: textKey,
  made: amount,
  ends_at: integer,
};

const knownIdentities = {
  identity_hmac: textKey,
  known_since: integer,
};

const invitations = {
  id: autoId,
  name: text,
  code_hmac: uniqueText,
  code_cipher: text,
  group: text,
  quota: amount,
  created_by: integer,
  created_at: integer,
  expires_at: integer,
  used_at: withDefault(integer, 0),
  used_by: integerOrNull,
};

const idempotentAnswers = {
  user_id: integer,
  key_hash: text,
  request_hmac: text,
  answer_cipher: text,
  expires_at: integer,
};

const loginSteps = {
  id_hash: textKey,
  purpose: text,
  user_id: integer,
  challenge: text,
  tries_left: amount,
  expires_at: integer,
};

export function accountsTables(builder: MigrationBuilder): readonly Statement[] {
  return [
    createTable(builder, "users", users),
    createIndex(builder, "users", ["email"]),
    createUniqueIndexUnlessEmpty(builder, "users", "github_id"),
    createUniqueIndexUnlessEmpty(builder, "users", "lark_id"),
    createUniqueIndexUnlessEmpty(builder, "users", "oidc_id"),
    createUniqueIndexUnlessEmpty(builder, "users", "wechat_id"),
    createTable(builder, "sessions", sessions),
    createIndex(builder, "sessions", ["expires_at"]),
    createIndex(builder, "sessions", ["user_id"]),
    createTable(builder, "login_failures", loginFailures),
    createIndex(builder, "login_failures", ["last_failure_at"]),
    createTable(builder, "totp_factors", totpFactors),
    createTable(builder, "recovery_codes", recoveryCodes).addPrimaryKeyConstraint("recovery_codes_primary_key", [
      "user_id",
      "code_hash",
    ]),
    createTable(builder, "passkeys", passkeys),
    createIndex(builder, "passkeys", ["user_id"]),
    ...loginStepsTable(builder),
    createTable(builder, "oauth_states", oauthStates),
    createIndex(builder, "oauth_states", ["expires_at"]),
    createTable(builder, "email_codes", emailCodes).addPrimaryKeyConstraint("email_codes_primary_key", [
      "purpose",
      "email",
      "requester",
      "code_hash",
    ]),
    createIndex(builder, "email_codes", ["expires_at"]),
    createTable(builder, "request_counts", requestCounts),
    createIndex(builder, "request_counts", ["ends_at"]),
    createTable(builder, "known_identities", knownIdentities),
    createTable(builder, "invitations", invitations),
    createIndex(builder, "invitations", ["used_by"]),
    createTable(builder, "idempotent_answers", idempotentAnswers).addPrimaryKeyConstraint(
      "idempotent_answers_primary_key",
      ["user_id", "key_hash"],
    ),
    createIndex(builder, "idempotent_answers", ["expires_at"]),
  ];
}

export function loginStepsTable(builder: MigrationBuilder): readonly Statement[] {
  return [
    createTable(builder, "login_steps", loginSteps),
    createIndex(builder, "login_steps", ["expires_at"]),
    createIndex(builder, "login_steps", ["user_id"]),
  ];
}
