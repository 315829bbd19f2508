import { sql } from "kysely";
import { amount, integer, signedAmount, text } from "./column.ts";
import { createIndex, createTable } from "./create-table.ts";
import type { Migration } from "./migration.ts";

const logChannelGroups = {
  block: integer,
  view: integer,
  user_id: integer,
  channel_id: integer,
  token_name: text,
  username: text,
  model_name: text,
  type: integer,
  result: text,
  entries: amount,
  quota: signedAmount,
  tokens: signedAmount,
};

/** Channels in blocks of users and tokens. All groups are made again, beside requests: to add channels to those that are there would hold the start up for minutes. */
export const logChannelGroupTables: Migration = {
  number: 40,
  name: "log-channel-groups",
  statements: (builder) => [
    createTable(builder, "log_channel_groups", logChannelGroups),
    createIndex(builder, "log_channel_groups", ["block", "view", "user_id", "channel_id", "token_name"]),
    sql`delete from log_batches`,
    // Both leave the rows unread.
    builder.kind === "sqlite" ? sql`delete from log_groups` : sql`truncate table log_groups`,
  ],
};
