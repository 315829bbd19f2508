import { existsSync } from "node:fs";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import pg from "pg";
import { DatabaseStartError } from "./database-errors.ts";
import { reasonOf, redactDatabaseUrl } from "./dialects/postgres-errors.ts";

/** A row of another program: every value as text, whatever its column is, so that both databases read alike. Flags are 0, 1, t or f. */
export type ForeignRow = Readonly<Record<string, string | null>>;

/** A database of another program, seen as it was at one moment; nothing in it is ever changed. */
export interface ForeignDatabase {
  /** Names of the columns of a table; none where there is no such table. */
  columnsOf(table: string): Promise<readonly string[]>;
  /** Every row of a table that exists, ordered by one of its columns. */
  rowsOf(table: string, order: string): Promise<readonly ForeignRow[]>;
  /** Rows of a table that exists, so many at a time, in the order of a column whose whole numbers are all different; of their columns only those that are named and there. */
  pagesOf(table: string, page: PageRequest): AsyncIterable<readonly ForeignRow[]>;
  close(): Promise<void>;
}

interface PageRequest {
  readonly key: string;
  readonly columns: readonly string[];
  readonly size: number;
}

/**
 * Opens a SQLite file, or with `postgres://…` a PostgreSQL database, to read what another program keeps there. Throws `DatabaseStartError`
 * naming it, without a password, when it cannot be read.
 */
export async function openForeignDatabase(source: string): Promise<ForeignDatabase> {
  return /^postgres(ql)?:\/\//.test(source) ? openOnServer(source) : openFile(source);
}

function openFile(file: string): ForeignDatabase {
  if (!existsSync(file)) throw new DatabaseStartError(`There is no file ${file}.`);
  const database = openToRead(file);
  const columnsOf = (table: string) =>
    database
      .prepare("select name from pragma_table_info(?)")
      .all(table)
      .map(({ name }) => String(name));
  const read = (text: string, ...values: bigint[]): readonly ForeignRow[] => {
    const statement = database.prepare(text);
    statement.setReadBigInts(true);
    return statement
      .all(...values)
      .map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, asText(value)])));
  };
  return {
    columnsOf: async (table) => columnsOf(table),
    rowsOf: async (table, order) => read(selectAll(table, columnsOf(table), order)),
    pagesOf: (table, page) =>
      readPages(page, async (after) => read(selectPage(table, columnsOf(table), page, "?"), BigInt(after))),
    close: async () => database.close(),
  };
}

function openToRead(file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
    // One snapshot for all reads: it begins with the first of them.
    database.exec("begin; select name from sqlite_schema limit 1");
    return database;
  } catch (error) {
    database?.close();
    throw new DatabaseStartError(
      `The file ${file} cannot be read as a SQLite database: ${reasonOf(error)}. Stop the program that writes to it, or copy it with sqlite3's .backup, and name the copy.`,
      { cause: error },
    );
  }
}

async function openOnServer(address: string): Promise<ForeignDatabase> {
  const asItStands = { getTypeParser: () => String };
  const client = new pg.Client({ connectionString: address, types: asItStands, connectionTimeoutMillis: 5000 });
  try {
    await client.connect();
    await client.query("begin transaction isolation level repeatable read read only");
  } catch (error) {
    await client.end().catch(() => undefined);
    throw new DatabaseStartError(
      `Cannot read PostgreSQL at ${redactDatabaseUrl(address)}: ${reasonOf(error)}. Check that the server runs and that address, user, password and database name are right.`,
      { cause: error },
    );
  }
  const columnsOf = async (table: string) => {
    const { rows } = await client.query<{ name: string }>(
      `select column_name as name from information_schema.columns
       where table_name = $1 and table_schema = any (current_schemas(false)) order by ordinal_position`,
      [table],
    );
    return rows.map(({ name }) => name);
  };
  return {
    columnsOf,
    rowsOf: async (table, order) =>
      (await client.query<ForeignRow>(selectAll(table, await columnsOf(table), order))).rows,
    pagesOf: (table, page) =>
      readPages(page, async (after) => {
        const text = selectPage(table, await columnsOf(table), page, "$1::bigint");
        return (await client.query<ForeignRow>(text, [after])).rows;
      }),
    close: () => client.end(),
  };
}

function selectAll(table: string, columns: readonly string[], order: string): string {
  return `select ${columns.map(quote).join(", ")} from ${quote(table)} order by ${quote(order)}`;
}

/** The rows behind a key. */
function selectPage(
  table: string,
  there: readonly string[],
  { key, columns, size }: PageRequest,
  after: string,
): string {
  const wanted = [key, ...columns.filter((column) => column !== key && there.includes(column))];
  return `select ${wanted.map(quote).join(", ")} from ${quote(table)} where ${quote(key)} > ${after} order by ${quote(key)} limit ${size}`;
}

/** Before every key. */
const BEFORE_ALL = String(-(2n ** 63n));

async function* readPages(
  { key, size }: PageRequest,
  readAfter: (after: string) => Promise<readonly ForeignRow[]>,
): AsyncGenerator<readonly ForeignRow[]> {
  let after = BEFORE_ALL;
  for (;;) {
    const rows = await readAfter(after);
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    after = rows.at(-1)?.[key] ?? after;
  }
}

/** Both databases write names so. */
function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Programs in Go keep JSON as bytes. */
function asText(value: SQLOutputValue): string | null {
  if (value === null) return null;
  return value instanceof Uint8Array ? Buffer.from(value).toString("utf8") : String(value);
}
