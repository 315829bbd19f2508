import type { SQLInputValue, StatementSync } from "node:sqlite";
import type { SqliteStatement } from "kysely";
import { DatabaseUnavailableError } from "../database-errors.ts";
import { storableValue } from "./storable-value.ts";

const RETURNS_CHANGED_ROWS = /^\s*(?:insert|update|delete|with)\b[^]*\breturning\b/i;

/** Primary result codes for a locked, full or failing file (sqlite.org/rescode.html). */
const UNAVAILABLE_CODES: ReadonlyMap<number, string> = new Map([
  [5, "The database file is locked by another program"],
  [10, "The disk of the database fails"],
  [13, "The disk of the database is full"],
]);

/** A prepared statement of node:sqlite with exact integers and plain rows, in the form that Kysely's driver asks for. */
export class CheckedSqliteStatement implements SqliteStatement {
  /** Whether it answers with rows. */
  readonly reader: boolean;
  /** Whether these rows are the ones that it changed. */
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

  /** Returns its rows. Throws what SQLite says, or `DatabaseUnavailableError` when the file is locked, full or failing. */
  all(parameters: readonly unknown[]): Record<string, unknown>[] {
    try {
      return this.#statement.all(...parameters.map(toSqliteValue)).map((row) => toRecord(this.#columns, row));
    } catch (error) {
      throw namedSqliteError(error);
    }
  }

  /** Returns how many rows it changed. Throws as `all` does. */
  run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint } {
    try {
      return this.#statement.run(...parameters.map(toSqliteValue));
    } catch (error) {
      throw namedSqliteError(error);
    }
  }

  /** Never answers: a stream would keep the one connection from everybody else. */
  iterate(): never {
    throw new Error("Streams are not supported: read in pages by id instead");
  }
}

/** Returns `DatabaseUnavailableError` for a locked, full or failing file, every other error as it is. */
export function namedSqliteError(error: unknown): unknown {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return error;
  const text = UNAVAILABLE_CODES.get(error.errcode & 0xff);
  return text === undefined ? error : new DatabaseUnavailableError(`${text}: ${error.message}`, { cause: error });
}

/** node:sqlite stores a number as a float and a bigint as an integer; a float would show as `1.0` in texts and not divide as an integer. */
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
