import { deletedWith, flag, integer, text, withDefault } from "./column.ts";
import { addColumn, createTable } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

const defaultViews = {
  user_id: deletedWith(integer, "users"),
  page: text,
  view_id: deletedWith(integer, "saved_views"),
};

/** Saved views that everybody sees, and which one a list begins with for each user. */
export const sharedViews: Migration = {
  number: 36,
  name: "shared-views",
  statements: (builder: MigrationBuilder) => [
    addColumn(builder, "saved_views", "is_shared", withDefault(flag, 0)),
    createTable(builder, "default_views", defaultViews).addPrimaryKeyConstraint("default_views_primary_key", [
      "user_id",
      "page",
    ]),
  ],
};
