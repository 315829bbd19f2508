import { amount, autoId, deletedWith, flag, integer, text, textKey } from "../column.ts";
import { createIndex, createTable } from "../create-table.ts";
import type { MigrationBuilder, Statement } from "../migration.ts";

const storedBodies = {
  request_id: textKey,
  token_id: deletedWith(integer, "tokens"),
  user_id: integer,
  created_at: integer,
  size: amount,
  request_bytes: amount,
  answer_bytes: amount,
  request_is_truncated: flag,
  answer_is_truncated: flag,
  request: text,
  answer: text,
};

const storedObjects = {
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

export function storedTables(builder: MigrationBuilder): readonly Statement[] {
  return [
    createTable(builder, "stored_bodies", storedBodies),
    createIndex(builder, "stored_bodies", ["created_at", "size"]),
    createIndex(builder, "stored_bodies", ["token_id"]),
    createTable(builder, "stored_objects", storedObjects).addUniqueConstraint("stored_objects_object_unique", [
      "object_id",
      "channel_id",
    ]),
    createIndex(builder, "stored_objects", ["expires_at"]),
    createIndex(builder, "stored_objects", ["user_id", "kind"]),
  ];
}
