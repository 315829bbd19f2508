import { autoId, deletedWith, integer, text, withDefault } from "./column.ts";
import { addColumn, createIndex, createTable } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

const channelDecisions = {
  id: autoId,
  channel_id: deletedWith(integer, "channels"),
  kind: text,
  model: text,
  code: text,
  message: text,
  first_at: integer,
  last_at: integer,
  until: integer,
  times: integer,
  undone_at: withDefault(integer, 0),
};

/** Words that group channels, and what the gateway decided about each by itself. */
export const channelDecisionTables: Migration = {
  number: 19,
  name: "channel-decisions",
  statements: (builder: MigrationBuilder) => [
    addColumn(builder, "channels", "tags", withDefault(text, "")),
    createTable(builder, "channel_decisions", channelDecisions),
    createIndex(builder, "channel_decisions", ["channel_id", "id"]),
  ],
};
