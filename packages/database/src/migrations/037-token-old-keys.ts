import { integer, text, withDefault } from "./column.ts";
import { addColumn, createUniqueIndexUnlessEmpty } from "./create-table.ts";
import type { Migration } from "./migration.ts";

/** The key that a token had before its present one, and until when it goes on. */
export const tokenOldKeys: Migration = {
  number: 37,
  name: "token-old-keys",
  statements: (builder) => [
    addColumn(builder, "tokens", "old_key_hmac", withDefault(text, "")),
    addColumn(builder, "tokens", "old_key_ends_at", withDefault(integer, 0)),
    createUniqueIndexUnlessEmpty(builder, "tokens", "old_key_hmac"),
  ],
};
