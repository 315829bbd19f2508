import type { DatabaseSync } from "node:sqlite";
import { DatabaseUnavailableError } from "../database-errors.ts";
import type { Durability, RunStatement, StatementOutcome } from "../open-database.ts";
import { namedSqliteError, SqliteStatements } from "./sqlite-statements.ts";
import { TurnQueue } from "./turn-queue.ts";
import type { WalSync } from "./wal-sync.ts";

const WAIT_LIMIT_MS = 5000;

/** A connection to the SQLite file, shared in turn by Kysely and by write transactions. */
export class SqliteConnection {
  /** Whose turn it is on this connection. */
  readonly turns = new TurnQueue(WAIT_LIMIT_MS);
  /** Whose turn it is to write to the file. */
  readonly writes = new TurnQueue(WAIT_LIMIT_MS);
  readonly statements: SqliteStatements;
  readonly #database: DatabaseSync;
  readonly #walSync: WalSync | undefined;
  #isWriting = false;

  /** @param walSync what commits wait for; without, a power cut may undo the last of them. */
  constructor(database: DatabaseSync, walSync: WalSync | undefined) {
    this.#database = database;
    this.#walSync = walSync;
    this.statements = new SqliteStatements(database);
  }

  /** True between the begin and the end of a transaction. */
  get isWriting(): boolean {
    return this.#isWriting;
  }

  /**
   * Resolves when it is this connection's turn to write to the file; it must then release `writes` exactly once. Rejects with
   * DatabaseUnavailableError after a while, or when the disk has failed and still does.
   */
  async takeWriteTurn(): Promise<void> {
    await this.writes.take();
    try {
      this.trustLog();
    } catch (error) {
      this.writes.release();
      throw error;
    }
  }

  /**
   * Puts everything committed into the database file, synced, where the disk may have lost some of the log. Throws
   * DatabaseUnavailableError while that cannot be done: the disk fails or is full, or another program reads the log.
   */
  trustLog(): void {
    if (this.#walSync?.isBroken !== true) return;
    const [outcome] = this.statements.prepare("pragma wal_checkpoint(truncate)").all([]);
    if (outcome?.["busy"] !== 0)
      throw new DatabaseUnavailableError("The log of the database must begin anew, and another program reads it");
    this.#walSync.beginAnew();
  }

  /** Takes the write lock at once, so that a transaction that reads first cannot fail at its first write. */
  async begin(): Promise<void> {
    await this.takeWriteTurn();
    this.#isWriting = true;
    try {
      this.#execute("begin immediate");
    } catch (error) {
      this.#endWriting();
      throw error;
    }
  }

  /** Commits the transaction; it is on disk once `whenOnDisk` says so. */
  commit(): void {
    this.#execute("commit");
    this.#endWriting();
  }

  /** Resolves once everything that was committed before is on disk. Rejects with CommitOutcomeUnknownError when the disk fails. */
  async whenOnDisk(): Promise<void> {
    await this.#walSync?.whenOnDisk();
  }

  /** Undoes the transaction, unless SQLite did so by itself as it does when the disk is full, or it never began. */
  rollback(): void {
    try {
      if (this.#database.isTransaction) this.#execute("rollback");
    } finally {
      this.#endWriting();
    }
  }

  /** See `OpenDatabase.writeTransaction`. The next transaction need not wait until this one is on disk. */
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
    await this.turns.take();
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
      this.turns.release();
    }
  }

  /** Closes the file once all who wait have had their turn; later uses find no open database. Returns false when it was closed before. */
  async close(): Promise<boolean> {
    await this.turns.take();
    try {
      if (!this.#database.isOpen) return false;
      this.statements.clear();
      await this.#walSync?.close();
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
