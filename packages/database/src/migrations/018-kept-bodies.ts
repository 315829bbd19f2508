import { amount, autoId, deletedWith, flag, integer, text, textKey, withDefault } from "./column.ts";
import { addColumn, createIndex, createTable } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

/** The small columns stand in front: they are read without the texts. */
const keptBodies = {
  request_id: textKey,
  token_id: deletedWith(integer, "tokens"),
  user_id: integer,
  created_at: integer,
  size: amount,
  request_bytes: amount,
  answer_bytes: amount,
  request_is_cut: flag,
  answer_is_cut: flag,
  request: text,
  answer: text,
};

const savedViews = {
  id: autoId,
  user_id: deletedWith(integer, "users"),
  page: text,
  name: text,
  search: text,
  created_at: integer,
};

/** Bodies of the requests of tokens whose owners want them kept, and the views of lists that users have named. */
export const keptBodyTables: Migration = {
  number: 18,
  name: "kept-bodies",
  statements: (builder: MigrationBuilder) => [
    addColumn(builder, "tokens", "keep_bodies", withDefault(flag, 0)),
    createTable(builder, "kept_bodies", keptBodies),
    createIndex(builder, "kept_bodies", ["created_at", "size"]),
    createIndex(builder, "kept_bodies", ["token_id"]),
    createTable(builder, "saved_views", savedViews).addUniqueConstraint("saved_views_name_unique", [
      "user_id",
      "page",
      "name",
    ]),
  ],
};
