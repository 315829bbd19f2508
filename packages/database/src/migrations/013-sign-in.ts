import { amount, autoId, integer, integerOrNull, text, uniqueText, withDefault } from "./column.ts";
import { addColumn, createIndex, createTable, createUniqueIndexUnlessEmpty } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

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

/** People of any OpenID Connect provider, and those who come by invitation. */
export const signIn: Migration = {
  number: 13,
  name: "sign-in",
  statements: (builder: MigrationBuilder) => [
    addColumn(builder, "users", "oidc_id", withDefault(text, "")),
    createUniqueIndexUnlessEmpty(builder, "users", "oidc_id"),
    addColumn(builder, "oauth_states", "provider", withDefault(text, "")),
    addColumn(builder, "oauth_states", "invitation_hmac", withDefault(text, "")),
    createTable(builder, "invitations", invitations),
    createIndex(builder, "invitations", ["used_by"]),
  ],
};
