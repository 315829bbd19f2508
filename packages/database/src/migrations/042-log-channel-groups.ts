import { sql } from "kysely";
import { amount, integer, signedAmount, text } from "./column.ts";
import { createIndex, createTable } from "./create-table.ts";
import type { Migration } from "./migration.ts";

const LABELS = {
  block: integer,
  view: integer,
  user_id: integer,
  channel_id: integer,
  token_name: text,
  username: text,
  model_name: text,
  type: integer,
  result: text,
};
const logChannelGroups = { ...LABELS, entries: amount, quota: signedAmount, tokens: signedAmount, batches: text };

/**
 * Channels in blocks of users and tokens; SQLite keeps what is looked for together in the order of its key. All groups are made again, beside
 * requests: to add channels to those that are there would hold the start up for minutes.
 */
export const logChannelGroupTables: Migration = {
  number: 42,
  name: "log-channel-groups",
  statements: (builder) => {
    const table = createTable(builder, "log_channel_groups", logChannelGroups);
    const keys = Object.keys(LABELS);
    if (builder.kind === "sqlite")
      return [
        table.addPrimaryKeyConstraint("log_channel_groups_primary_key", keys).modifyEnd(sql`, without rowid`),
        sql`delete from log_batches`,
        sql`delete from log_groups`,
      ];
    return [
      table,
      createIndex(builder, "log_channel_groups", keys.slice(0, 5)),
      sql`truncate table log_batches`,
      sql`truncate table log_groups`,
    ];
  },
};
