import { integer, textKey } from "./column.ts";
import { createTable } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

/** Mailboxes and accounts at providers that had an account here. Rows outlive the accounts, so that nobody receives the quota of new users twice. */
export const knownIdentities: Migration = {
  number: 50,
  name: "known-identities",
  statements: (builder: MigrationBuilder) => [
    createTable(builder, "known_identities", { identity_hmac: textKey, known_since: integer }),
  ],
};
