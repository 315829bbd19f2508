import { amount, autoId, deletedWith, integer, text } from "./column.ts";
import { createIndex, createTable } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

const keptObjects = {
  id: autoId,
  object_id: text,
  kind: text,
  user_id: deletedWith(integer, "users"),
  token_id: integer,
  channel_id: deletedWith(integer, "channels"),
  size: amount,
  created_at: integer,
  expires_at: integer,
  data: text,
};

/** What providers keep for callers, and whose it is: files and answers. */
export const keptObjectTables: Migration = {
  number: 30,
  name: "kept-objects",
  statements: (builder: MigrationBuilder) => [
    createTable(builder, "kept_objects", keptObjects).addUniqueConstraint("kept_objects_object_unique", [
      "object_id",
      "channel_id",
    ]),
    createIndex(builder, "kept_objects", ["user_id", "kind"]),
    createIndex(builder, "kept_objects", ["expires_at"]),
  ],
};
