import { sql } from "kysely";
import { amount, integerKey } from "./column.ts";
import { createTable } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

/**
 * How often what a user's callers are admitted by has changed: the user, its tokens, whether it has budgets. A server that remembers callers knows by it,
 * where others may change them. No row stands for never; rows outlive their users, else a version could come back.
 */
export const callerVersions: Migration = {
  number: 41,
  name: "caller-versions",
  statements: (builder: MigrationBuilder) => [
    createTable(builder, "caller_versions", { user_id: integerKey, version: amount }),
    ...(builder.kind === "sqlite" ? [] : ON_POSTGRES),
  ],
};

/** Runs at the end of a transaction, so that nothing else is waited for while the version is locked. */
const trigger = (table: string, event: string, userId: string, condition = "") =>
  sql.raw(`create constraint trigger ${table}_${event}_caller_version after ${event} on ${table}
    deferrable initially deferred for each row ${condition} execute function renew_caller_version('${userId}')`);

const changed = (counters: string) => `when (to_jsonb(old) ${counters} is distinct from to_jsonb(new) ${counters})`;

const ON_POSTGRES = [
  sql.raw(`create function renew_caller_version() returns trigger language plpgsql as $$
    begin
      insert into caller_versions as known (user_id, version)
        select distinct (changed.line ->> tg_argv[0])::bigint, 1
        from unnest(array[to_jsonb(old), to_jsonb(new)]) as changed (line)
        where changed.line is not null
        order by 1
        on conflict (user_id) do update set version = known.version + 1;
      return null;
    end $$`),
  trigger("users", "update", "id", changed("")),
  trigger("users", "delete", "id"),
  trigger("tokens", "update", "user_id", changed("- 'flagged_count'")),
  trigger("tokens", "delete", "user_id"),
  trigger("budgets", "insert", "user_id"),
  trigger("budgets", "delete", "user_id"),
];
