import type { DatabaseSync } from "node:sqlite";
import { DatabaseStartError } from "../database-errors.ts";

/** Size up to which a file is checked as a whole, within a second. */
const SMALL_BYTES = 256 * 1024 * 1024;
/** Time limit for the check of a larger file at the start, in ms. */
const MOST_MS = 5_000;
const ROWS_PER_MS = 200;

/** Bounds of the check; tests lower them. */
export interface CheckBounds {
  readonly smallBytes: number;
  readonly mostMs: number;
}

/**
 * Checks the file (`pragma quick_check`, sqlite.org/pragma.html). Large files: whole tables, smallest first, within the
 * time limit; the log may be skipped. Returns the checked tables. Throws `DatabaseStartError` with the fix.
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
