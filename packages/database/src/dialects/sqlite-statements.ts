import type { DatabaseSync } from "node:sqlite";
import type { StatementOutcome } from "../open-database.ts";
import { CheckedSqliteStatement, namedSqliteError } from "./sqlite-statement.ts";

/** Enough for every statement of the program; search forms with optional filters make some more. */
const KEPT_STATEMENTS = 500;
const IS_KEPT = /^\s*(?:select|insert|update|delete|with)\b/i;
const NO_ROWS: readonly Record<string, unknown>[] = [];

/** The statements of one connection, kept prepared by their text. */
export class SqliteStatements {
  readonly #database: DatabaseSync;
  readonly #kept = new Map<string, CheckedSqliteStatement>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Returns the statement, prepared now or earlier. */
  prepare(sql: string): CheckedSqliteStatement {
    const kept = this.#kept.get(sql);
    if (kept !== undefined) return kept;
    const statement = this.#prepareNow(sql);
    if (IS_KEPT.test(sql)) this.#keep(sql, statement);
    // Any other statement may change a table, and with it the columns of the statements kept so far.
    else this.clear();
    return statement;
  }

  /** Runs a statement and returns its rows and how many rows it changed. */
  execute(sql: string, parameters: readonly unknown[]): StatementOutcome {
    const statement = this.prepare(sql);
    if (!statement.reader) return { rows: NO_ROWS, changes: Number(statement.run(parameters).changes) };
    const rows = statement.all(parameters);
    return { rows, changes: statement.returnsChangedRows ? rows.length : 0 };
  }

  /** Forgets every prepared statement. */
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
