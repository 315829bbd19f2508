import { sql } from "kysely";
import type { Migration, MigrationBuilder } from "./migration.ts";

/** What makes batches of the log holds this lock on PostgreSQL until it commits (`features/logs`). */
const ADVISORY_LOCK = 0x6c6f6773;

/** An entry of the log that is removed or changed takes its batch and all later ones along; they are made again without it. */
export const logRemovals: Migration = {
  number: 10,
  name: "log-removals",
  statements: ({ kind }: MigrationBuilder) => (kind === "sqlite" ? onSqlite : onPostgres),
};

const onSqlite = ["delete", "update"].map((change) =>
  sql.raw(
    `create trigger logs_${change}_batches after ${change} on logs begin delete from log_batches where last_id >= old.id; end`,
  ),
);

const onPostgres = [
  sql.raw(`create function forget_log_batches() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(${ADVISORY_LOCK});
      delete from log_batches where last_id >= old.id;
      return null;
    end $$`),
  sql.raw(
    "create trigger logs_batches after delete or update on logs for each row execute function forget_log_batches()",
  ),
];
