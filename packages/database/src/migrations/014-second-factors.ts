import { amount, autoId, deletedWith, integer, integerKey, text, textKey, uniqueText, withDefault } from "./column.ts";
import { addColumn, createIndex, createTable } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

const totpFactors = {
  user_id: deletedWith(integerKey, "users"),
  key_cipher: text,
  confirmed_at: integer,
  last_step: amount,
};

const recoveryCodes = { user_id: deletedWith(integer, "users"), code_hash: text };

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

const entrySteps = {
  id_hash: textKey,
  purpose: text,
  user_id: integer,
  challenge: text,
  tries_left: amount,
  expires_at: integer,
};

/** What a user proves an account with beside the password, logins that wait for it, and since when an access token is there and used. */
export const secondFactors: Migration = {
  number: 14,
  name: "second-factors",
  statements: (builder: MigrationBuilder) => [
    createTable(builder, "totp_factors", totpFactors),
    createTable(builder, "recovery_codes", recoveryCodes).addPrimaryKeyConstraint("recovery_codes_primary_key", [
      "user_id",
      "code_hash",
    ]),
    createTable(builder, "passkeys", passkeys),
    createIndex(builder, "passkeys", ["user_id"]),
    createTable(builder, "entry_steps", entrySteps),
    createIndex(builder, "entry_steps", ["user_id"]),
    createIndex(builder, "entry_steps", ["expires_at"]),
    addColumn(builder, "users", "access_token_created_at", withDefault(integer, 0)),
    addColumn(builder, "users", "access_token_used_at", withDefault(integer, 0)),
  ],
};
