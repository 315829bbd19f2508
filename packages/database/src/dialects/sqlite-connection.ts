import type { DatabaseSync } from "node:sqlite";
import { DatabaseUnavailableError } from "../database-errors.ts";
import type { RunStatement, WriteTurns } from "../open-database.ts";
import { namedSqliteError, SqliteStatements } from "./sqlite-statements.ts";
import { TurnQueue } from "./turn-queue.ts";

const WAIT_LIMIT_MS = 5000;

/** A connection to the SQLite file, shared in turn by Kysely and by write transactions. */
export class SqliteConnection {
  /** Whose turn it is on this connection. */
  readonly turns = new TurnQueue(WAIT_LIMIT_MS);
  /** Whose turn it is to write to the file: this connection's, or that of another one of this process. */
  readonly writes: WriteTurns;
  readonly statements: SqliteStatements;
  readonly #database: DatabaseSync;
  #isWriting = false;

  constructor(database: DatabaseSync, writes: WriteTurns = new TurnQueue(WAIT_LIMIT_MS)) {
    this.writes = writes;
    this.#database = database;
    this.statements = new SqliteStatements(database);
  }

  /** True between the begin and the end of a transaction. */
  get isWriting(): boolean {
    return this.#isWriting;
  }

  /** Takes the write lock at once, so that a transaction that reads first cannot fail at its first write. */
  async begin(): Promise<void> {
    await this.writes.take();
    this.#isWriting = true;
    try {
      this.#execute("begin immediate");
    } catch (error) {
      this.#endWriting();
      throw error;
    }
  }

  /** Puts the transaction on disk. */
  commit(): void {
    this.#execute("commit");
    this.#endWriting();
  }

  /** Undoes the transaction, unless SQLite did so by itself as it does when the disk is full, or it never began. */
  rollback(): void {
    try {
      if (this.#database.isTransaction) this.#execute("rollback");
    } finally {
      this.#endWriting();
    }
  }

  /** See `OpenDatabase.writeTransaction`. */
  async writeTransaction<Result>(work: (run: RunStatement) => Promise<Result>): Promise<Result> {
    await this.turns.take();
    let isOpen = true;
    const run: RunStatement = (sql, parameters) => {
      if (!isOpen) throw new Error("This transaction has ended");
      if (!this.#database.isTransaction) throw new DatabaseUnavailableError("SQLite rolled this transaction back");
      return this.statements.execute(sql, parameters);
    };
    try {
      await this.begin();
      const result = await work(run);
      this.commit();
      return result;
    } catch (error) {
      this.rollback();
      throw error;
    } finally {
      isOpen = false;
      this.turns.release();
    }
  }

  /** Closes the file once all who wait have had their turn; later uses find no open database. Returns false when it was closed before. */
  async close(): Promise<boolean> {
    await this.turns.take();
    try {
      if (!this.#database.isOpen) return false;
      this.statements.clear();
      this.#database.close();
      return true;
    } finally {
      this.turns.release();
    }
  }

  #endWriting(): void {
    if (!this.#isWriting) return;
    this.#isWriting = false;
    this.writes.release();
  }

  #execute(sql: string): void {
    try {
      this.#database.exec(sql);
    } catch (error) {
      throw namedSqliteError(error);
    }
  }
}
