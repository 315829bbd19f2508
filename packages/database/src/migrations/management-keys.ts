import { autoId, integer, text, uniqueTextOrNull, withDefault } from "./column.ts";
import { createIndex, createTable, createUniqueIndexUnlessEmpty } from "./create-table.ts";
import type { MigrationStep } from "./migration.ts";

const keys = {
  id: autoId,
  user_id: integer,
  name: text,
  key_hash: uniqueTextOrNull,
  hint: text,
  old_key_hash: withDefault(text, ""),
  old_key_ends_at: withDefault(integer, 0),
  scopes: text,
  networks: text,
  created_at: integer,
  expires_at: integer,
  last_used_at: withDefault(integer, 0),
  last_used_address: withDefault(text, ""),
  revoked_at: withDefault(integer, 0),
};

export const managementKeys: MigrationStep = {
  name: "management-keys",
  statements: (builder) => [
    createTable(builder, "management_keys", keys),
    createIndex(builder, "management_keys", ["user_id"]),
    createUniqueIndexUnlessEmpty(builder, "management_keys", "old_key_hash"),
  ],
};
