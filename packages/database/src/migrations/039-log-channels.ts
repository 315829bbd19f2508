import { sql } from "kysely";
import { createIndex } from "./create-table.ts";
import type { Migration } from "./migration.ts";

const COLUMNS = sql`level, batch, view, user_id, username, token_name, model_name, channel_id, type, result, bucket`;

/**
 * Groups of the log by channel, and those of everything without channels, which were one view; blocks of users and tokens without channels; and an
 * index that finds a channel among the groups of a user or token.
 */
export const logChannels: Migration = {
  number: 39,
  name: "log-channels",
  statements: (builder) => [
    builder.schema.dropIndex("log_groups_level_batch_view_user_id_token_name_index"),
    sql`update log_groups set view = 3 where view = 0`,
    sql`
      insert into log_groups (${COLUMNS}, entries, quota, tokens, ids)
      select level, batch, 0, 0, '', '', model_name, 0, type, result, bucket,
        sum(entries), sum(quota), sum(tokens), case when level = 0 then string_agg(ids, ',') else '' end
      from log_groups where view = 3 group by level, batch, model_name, type, result, bucket`,
    sql`
      insert into log_groups (${COLUMNS}, entries, quota, tokens, ids)
      select level, batch, view, user_id, username, token_name, model_name, 0, type, result, bucket,
        sum(entries), sum(quota), sum(tokens), ''
      from log_groups where level = 1 and view in (1, 2) and channel_id <> 0
      group by level, batch, view, user_id, username, token_name, model_name, type, result, bucket`,
    sql`delete from log_groups where level = 1 and view in (1, 2) and channel_id <> 0`,
    createIndex(builder, "log_groups", ["level", "batch", "view", "user_id", "token_name", "channel_id"]),
  ],
};
