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
  close(): Promise<void>;
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
  return {
    columnsOf: async (table) => columnsOf(table),
    rowsOf: async (table, order) => {
      const statement = database.prepare(selectAll(table, columnsOf(table), order));
      statement.setReadBigInts(true);
      return statement
        .all()
        .map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, asText(value)])));
    },
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
    close: () => client.end(),
  };
}

function selectAll(table: string, columns: readonly string[], order: string): string {
  return `select ${columns.map(quote).join(", ")} from ${quote(table)} order by ${quote(order)}`;
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
