import type { DatabaseSync } from "node:sqlite";
import { DatabaseStartError } from "../database-errors.ts";

/** A file of up to so many bytes is checked in one go, which takes a second at the most. */
const SMALL_BYTES = 256 * 1024 * 1024;
/** Longest part of a start that the check of a larger file takes, in ms. */
const MOST_MS = 5_000;
/** Rows that are checked in a ms, at the least. */
const ROWS_PER_MS = 200;

/** What the check of a larger file goes by; others only in tests. */
export interface CheckBounds {
  readonly smallBytes: number;
  readonly mostMs: number;
}

/**
 * Reads the pages of the file and refuses one that is damaged (`pragma quick_check`, sqlite.org/pragma.html). Of a large file it reads the
 * smallest tables first, each whole, as long as the time allows; the log, which is the largest, may be left unread. Returns the tables that
 * were. Throws `DatabaseStartError` with what to do.
 */
export function checkPages(
  database: DatabaseSync,
  file: string,
  { smallBytes, mostMs }: CheckBounds = { smallBytes: SMALL_BYTES, mostMs: MOST_MS },
): readonly string[] {
  try {
    const tables = tablesOf(database);
    if (sizeOf(database) <= smallBytes) {
      requireWhole(database, file, "pragma quick_check(1)");
      return tables.map(({ name }) => name);
    }
    return checkWithin(database, file, { tables, mostMs });
  } catch (error) {
    if (error instanceof DatabaseStartError) throw error;
    throw damaged(file, error instanceof Error ? error.message : String(error), error);
  }
}

interface Table {
  readonly name: string;
  readonly rows: number;
}

function checkWithin(
  database: DatabaseSync,
  file: string,
  { tables, mostMs }: { readonly tables: readonly Table[]; readonly mostMs: number },
): string[] {
  const endMs = performance.now() + mostMs;
  const checked: string[] = [];
  for (const { name, rows } of tables) {
    if (rows / ROWS_PER_MS > endMs - performance.now()) break;
    requireWhole(database, file, `pragma quick_check(${quoted(name)})`);
    checked.push(name);
  }
  return checked;
}

/**
 * The tables, those with the fewest rows first. The largest row id is an upper bound that takes one look; tables without row ids have none
 * and come last.
 */
function tablesOf(database: DatabaseSync): Table[] {
  return database
    .prepare("select name, wr from pragma_table_list where type = 'table' and name not like 'sqlite_%'")
    .all()
    .map(({ name, wr }) => ({ name: String(name), rows: wr === 1 ? Infinity : largestRowId(database, String(name)) }))
    .toSorted((left, right) => (left.rows < right.rows ? -1 : 1));
}

function largestRowId(database: DatabaseSync, table: string): number {
  return Number(database.prepare(`select max(rowid) as rows from ${quoted(table)}`).get()?.["rows"] ?? 0);
}

function sizeOf(database: DatabaseSync): number {
  const read = (name: string) => Number(database.prepare(`pragma ${name}`).get()?.[name]);
  return read("page_count") * read("page_size");
}

function requireWhole(database: DatabaseSync, file: string, check: string): void {
  const found = String(Object.values(database.prepare(check).get() ?? {})[0]);
  if (found !== "ok") throw damaged(file, found);
}

function damaged(file: string, reason: string, cause?: unknown): DatabaseStartError {
  return new DatabaseStartError(
    `DATA_DIR: the database file ${file} is damaged: ${reason.replaceAll(/\s+/g, " ")}. Keep a copy of it with its -wal file, then restore a backup (docs/deployment.md), or save what can be read: sqlite3 ${file} .recover | sqlite3 recovered.db`,
    { cause },
  );
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
