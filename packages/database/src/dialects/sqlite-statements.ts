import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { SqliteStatement } from "kysely";
import { DatabaseUnavailableError } from "../database-errors.ts";
import { isStorable, storableValue } from "./storable-value.ts";
import type { StatementOutcome } from "../open-database.ts";

const RETURNS_CHANGED_ROWS = /^\s*(?:insert|update|delete|with)\b[^]*\breturning\b/i;

/** Primary result codes for a locked, full, read-only or failing file (sqlite.org/rescode.html). */
const UNAVAILABLE_CODES: ReadonlyMap<number, string> = new Map([
  [5, "The database file is locked by another program"],
  [8, "The disk of the database only reads"],
  [10, "The disk of the database fails"],
  [13, "The disk of the database is full"],
  [14, "A file of the database cannot be opened"],
]);

/** A prepared statement of node:sqlite with exact integers and plain rows, in the form of Kysely's driver. */
class CheckedSqliteStatement implements SqliteStatement {
  readonly reader: boolean;
  readonly returnsChangedRows: boolean;
  readonly #statement: StatementSync;
  readonly #columns: readonly string[];

  constructor(statement: StatementSync) {
    statement.setReturnArrays(true);
    this.#statement = statement;
    this.#columns = statement.columns().map((column) => column.name);
    this.reader = this.#columns.length > 0;
    this.returnsChangedRows = RETURNS_CHANGED_ROWS.test(statement.sourceSQL);
  }

  /** Throws SQLite's error, or `DatabaseUnavailableError` if the file is locked, full, read-only or failing. */
  all(parameters: readonly unknown[]): Record<string, unknown>[] {
    try {
      return this.#statement.all(...parameters.map(toSqliteValue)).map((row) => toRecord(this.#columns, row));
    } catch (error) {
      throw namedSqliteError(error);
    }
  }

  /** Returns the number of changed rows. Throws as `all` does. */
  run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint } {
    try {
      return this.#statement.run(...parameters.map(toSqliteValue));
    } catch (error) {
      throw namedSqliteError(error);
    }
  }

  /**
   * For statements of every relayed request: binds integers as floats, which is cheaper; strict tables store them as
   * integers. Returns its rows and the number of changed rows.
   */
  runPlainly(parameters: readonly unknown[]): StatementOutcome {
    try {
      const values = parameters.every(isStorable) ? parameters : parameters.map(storableValue);
      if (!this.reader) return { rows: NO_ROWS, changes: Number(this.#statement.run(...values).changes) };
      const rows = this.#statement.all(...values).map((row) => toRecord(this.#columns, row));
      return { rows, changes: this.returnsChangedRows ? rows.length : 0 };
    } catch (error) {
      throw namedSqliteError(error);
    }
  }

  /** Not supported: a stream would block the only connection. */
  iterate(): never {
    throw new Error("Streams are not supported: read in pages by id instead");
  }
}

/** Returns `DatabaseUnavailableError` for a locked, full, read-only or failing file; other errors unchanged. */
export function namedSqliteError(error: unknown): unknown {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return error;
  const text = UNAVAILABLE_CODES.get(error.errcode & 0xff);
  return text === undefined ? error : new DatabaseUnavailableError(`${text}: ${error.message}`, { cause: error });
}

/**
 * node:sqlite stores a number as a float, a bigint as an integer. A float would read as `1.0` and not divide as an
 * integer.
 */
function toSqliteValue(value: unknown): SQLInputValue {
  const storable = storableValue(value);
  return Number.isInteger(storable) ? BigInt(Number(storable)) : storable;
}

function toRecord(columns: readonly string[], row: unknown): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  if (!Array.isArray(row)) return record;
  let index = 0;
  for (const column of columns) {
    record[column] = row[index];
    index += 1;
  }
  return record;
}

/** Enough for all statements of the program, with the variants of search forms. */
const KEPT_STATEMENTS = 500;
const IS_KEPT = /^\s*(?:select|insert|update|delete|with)\b/i;
const NO_ROWS: readonly Record<string, unknown>[] = [];

/** Prepared statements of one connection, cached by their text. */
export class SqliteStatements {
  readonly #database: DatabaseSync;
  readonly #kept = new Map<string, CheckedSqliteStatement>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  prepare(sql: string): CheckedSqliteStatement {
    const kept = this.#kept.get(sql);
    if (kept !== undefined) return kept;
    const statement = this.#prepareNow(sql);
    if (IS_KEPT.test(sql)) this.#keep(sql, statement);
    // Any other statement may change a table, and the columns of cached statements with it.
    else this.clear();
    return statement;
  }

  /** Runs a statement of a write transaction; returns its rows and the number of changed rows. */
  execute(sql: string, parameters: readonly unknown[]): StatementOutcome {
    return this.prepare(sql).runPlainly(parameters);
  }

  clear(): void {
    this.#kept.clear();
  }

  #prepareNow(sql: string): CheckedSqliteStatement {
    try {
      return new CheckedSqliteStatement(this.#database.prepare(sql));
    } catch (error) {
      throw namedSqliteError(error);
    }
  }

  #keep(sql: string, statement: CheckedSqliteStatement): void {
    if (this.#kept.size >= KEPT_STATEMENTS) {
      for (const oldest of this.#kept.keys()) {
        this.#kept.delete(oldest);
        break;
      }
    }
    this.#kept.set(sql, statement);
  }
}
