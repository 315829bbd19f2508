import type { DatabaseSync } from "node:sqlite";
import { DatabaseUnavailableError } from "../database-errors.ts";
import type { Durability, RunStatement, StatementOutcome } from "../open-database.ts";
import { Mutex } from "./mutex.ts";
import { namedSqliteError, SqliteStatements } from "./sqlite-statements.ts";
import type { WalSync } from "./wal-sync.ts";

const WAIT_LIMIT_MS = 5000;

/** Connection to the SQLite file, shared by Kysely and write transactions. */
export class SqliteConnection {
  readonly connectionLock = new Mutex(WAIT_LIMIT_MS);
  readonly writeLock = new Mutex(WAIT_LIMIT_MS);
  readonly statements: SqliteStatements;
  readonly #database: DatabaseSync;
  readonly #walSync: WalSync | undefined;
  #isWriting = false;

  /** Without `walSync` a power cut may undo the last commits. */
  constructor(database: DatabaseSync, walSync: WalSync | undefined) {
    this.#database = database;
    this.#walSync = walSync;
    this.statements = new SqliteStatements(database);
  }

  get isWriting(): boolean {
    return this.#isWriting;
  }

  /**
   * Takes `writeLock`; release it exactly once. Rejects with DatabaseUnavailableError after the time limit, or while
   * the disk fails.
   */
  async lockForWriting(): Promise<void> {
    await this.writeLock.lock();
    try {
      this.trustLog();
    } catch (error) {
      this.writeLock.release();
      throw error;
    }
  }

  /**
   * After a failed sync: copies the WAL into the database file, synced. Throws DatabaseUnavailableError if the disk
   * fails or is full, or another program reads the WAL.
   */
  trustLog(): void {
    if (this.#walSync?.isBroken !== true) return;
    const [outcome] = this.statements.prepare("pragma wal_checkpoint(truncate)").all([]);
    if (outcome?.["busy"] !== 0)
      throw new DatabaseUnavailableError("The log of the database must begin anew, and another program reads it");
    this.#walSync.beginAnew();
  }

  /** Locks at the begin, so that a transaction that reads first cannot fail at its first write. */
  async begin(): Promise<void> {
    await this.lockForWriting();
    this.#isWriting = true;
    try {
      this.#execute("begin immediate");
    } catch (error) {
      this.#endWriting();
      throw error;
    }
  }

  /** It is on disk when `whenOnDisk` resolves. */
  commit(): void {
    this.#execute("commit");
    this.#endWriting();
  }

  /** Resolves when all earlier commits are on disk. Rejects with CommitOutcomeUnknownError if the disk fails. */
  async whenOnDisk(): Promise<void> {
    await this.#walSync?.whenOnDisk();
  }

  /** Does nothing if SQLite rolled back (a full disk) or the transaction never began. */
  rollback(): void {
    try {
      if (this.#database.isTransaction) this.#execute("rollback");
    } finally {
      this.#endWriting();
    }
  }

  /** See `OpenDatabase.writeTransaction`. The next transaction does not wait for the disk. */
  async writeTransaction<Result>(
    work: (run: RunStatement) => Promise<Result>,
    durability: Durability = "on-disk",
  ): Promise<Result> {
    let changes = 0;
    const result = await this.#inTransaction((execute) =>
      work((sql, parameters) => {
        const outcome = execute(sql, parameters);
        changes += outcome.changes;
        return outcome;
      }),
    );
    if (changes > 0 && durability === "on-disk") await this.whenOnDisk();
    return result;
  }

  async #inTransaction<Result>(
    work: (execute: (...statement: Parameters<RunStatement>) => StatementOutcome) => Promise<Result>,
  ): Promise<Result> {
    await this.connectionLock.lock();
    let isOpen = true;
    try {
      await this.begin();
      const result = await work((sql, parameters) => {
        if (!isOpen) throw new Error("This transaction has ended");
        if (!this.#database.isTransaction) throw new DatabaseUnavailableError("SQLite rolled this transaction back");
        return this.statements.execute(sql, parameters);
      });
      this.commit();
      return result;
    } catch (error) {
      this.rollback();
      throw error;
    } finally {
      isOpen = false;
      this.connectionLock.release();
    }
  }

  /** Closes the file after all waiting statements. Returns false if it was closed before. */
  async close(): Promise<boolean> {
    await this.connectionLock.lock();
    try {
      if (!this.#database.isOpen) return false;
      this.statements.clear();
      await this.#walSync?.close();
      this.#database.close();
      return true;
    } finally {
      this.connectionLock.release();
    }
  }

  #endWriting(): void {
    if (!this.#isWriting) return;
    this.#isWriting = false;
    this.writeLock.release();
  }

  #execute(sql: string): void {
    try {
      this.#database.exec(sql);
    } catch (error) {
      throw namedSqliteError(error);
    }
  }
}
