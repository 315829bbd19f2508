import { readFileSync } from "node:fs";
import type { OpenDatabase } from "@one-api/database/open-database";
import { sql } from "kysely";

/** How much CPU time in ms each of PostgreSQL's processes has spent for this database, by its id; none for SQLite, and where they are on another machine. */
export async function readServerCpu({ kind, db }: OpenDatabase): Promise<ReadonlyMap<number, number>> {
  if (kind === "sqlite") return new Map();
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and application_name = 'one-api'`.execute(db);
  return new Map(rows.map(({ pid }) => [pid, readProcessCpu(pid)]));
}

/** What was spent from one reading to the other; what a process spent that ended meanwhile is not known. */
export function cpuBetween(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
  return [...after].reduce((total, [pid, ms]) => total + ms - (before.get(pid) ?? 0), 0);
}

function readProcessCpu(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ", 1)[0]) / 1e6;
  } catch {
    return 0;
  }
}
