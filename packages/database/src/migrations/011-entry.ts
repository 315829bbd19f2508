import { amount, integer, text, textKey } from "./column.ts";
import { createIndex, createTable } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

const emailCodes = { purpose: text, email: text, code_hash: text, tries_left: amount, expires_at: integer };

const oauthStates = { state_hash: textKey, browser_hash: text, user_id: integer, expires_at: integer };

const requestCounts = { subject: textKey, made: amount, ends_at: integer };

/** What people need on their way in, kept where a restart loses nothing: codes in mails, states of OAuth, counts that slow guessers down. */
export const entry: Migration = {
  number: 11,
  name: "entry",
  statements: (builder: MigrationBuilder) => [
    createTable(builder, "email_codes", emailCodes).addPrimaryKeyConstraint("email_codes_primary_key", [
      "purpose",
      "email",
    ]),
    createIndex(builder, "email_codes", ["expires_at"]),
    createTable(builder, "oauth_states", oauthStates),
    createIndex(builder, "oauth_states", ["expires_at"]),
    createTable(builder, "request_counts", requestCounts),
    createIndex(builder, "request_counts", ["ends_at"]),
  ],
};
