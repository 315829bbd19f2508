import { setTimeout as wait } from "node:timers/promises";
import type { OpenDatabase } from "./open-database.ts";
import { sql } from "kysely";

const PAUSE_MS = 5;
const MOST_PAUSES = 200;

/**
 * Returns an id up to which no row can appear any more; 0 if unknown now. On PostgreSQL, transactions take ids before they commit. So all
 * writers at the time of the newest id must have ended, as table locks show (postgresql.org/docs/current/explicit-locking.html).
 */
export async function findSettledId({ kind, db }: OpenDatabase, table: "logs" | "audit"): Promise<number> {
  const row = await db.selectFrom(table).select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  const newest = row?.id ?? 0;
  if (kind === "sqlite") return newest;
  const writing = sql<{ writer: string }>`
    select virtualtransaction as writer from pg_locks
    where locktype = 'relation' and database = (select oid from pg_database where datname = current_database())
      and relation = cast(${table} as regclass) and mode = 'RowExclusiveLock' and pid <> pg_backend_pid()`;
  let writers = new Set((await writing.execute(db)).rows.map(({ writer }) => writer));
  for (let pauses = 0; writers.size > 0; pauses += 1) {
    if (pauses === MOST_PAUSES) return 0;
    await wait(PAUSE_MS);
    const { rows } = await writing.execute(db);
    writers = new Set(rows.map(({ writer }) => writer).filter((writer) => writers.has(writer)));
  }
  return newest;
}
