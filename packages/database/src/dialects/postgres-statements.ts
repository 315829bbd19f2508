import type pg from "pg";
import { CommitOutcomeUnknownError, DatabaseUnavailableError } from "../database-errors.ts";
import type { StatementConnection, StatementOutcome, StatementParameter } from "../open-database.ts";
import { isConnectionLoss, isReadOnly, reasonOf } from "./postgres-errors.ts";
import { runStatement } from "./postgres-transaction.ts";

/** What a connection for single statements is made from. */
interface StatementParts {
  /** Returns a client that is not connected yet. */
  readonly openClient: () => pg.Client;
  /** Sets up the session of a new connection. */
  readonly settings: string;
  /** Whether the client's server is no longer the one that writes. */
  readonly isLeft: (client: pg.Client) => boolean;
  /** Names an error of PostgreSQL. */
  readonly namedError: (error: unknown) => unknown;
}

/** A connection and the settlement of its start. */
interface OpenedClient {
  readonly client: pg.Client;
  readonly ready: Promise<unknown>;
}

/** See `StatementConnection`. It connects for the first statement, and again after the connection was lost. */
export class PostgresStatements implements StatementConnection {
  readonly #parts: StatementParts;
  #current: OpenedClient | undefined;
  #isClosed = false;

  constructor(parts: StatementParts) {
    this.#parts = parts;
  }

  readonly run = async (sql: string, parameters: readonly StatementParameter[]): Promise<StatementOutcome> => {
    const opened = this.#open();
    await this.#whenReady(opened);
    try {
      return await runStatement((query) => opened.client.query(query), sql, parameters);
    } catch (error) {
      const named = this.#parts.namedError(error);
      if (!isConnectionLoss(error) && !isReadOnly(error)) throw named;
      this.#drop(opened);
      if (isReadOnly(error)) throw named;
      const message = `The statement was sent and not answered. ${reasonOf(error)}`;
      throw new CommitOutcomeUnknownError(message, { cause: error });
    }
  };

  disconnect(): void {
    if (this.#current !== undefined) this.#drop(this.#current);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = this.#current;
    this.#current = undefined;
    await opened?.client.end();
  }

  #open(): OpenedClient {
    if (this.#isClosed) throw new Error("This connection is closed.");
    const current = this.#current;
    if (current !== undefined && !this.#parts.isLeft(current.client)) return current;
    current?.client.end().catch(ignore);
    const client = this.#parts.openClient();
    const opened = { client, ready: client.connect().then(() => client.query(this.#parts.settings)) };
    opened.ready.catch(ignore);
    // The statement that is under way or comes next receives the error.
    client.on("error", ignore);
    client.once("end", () => this.#forget(opened));
    this.#current = opened;
    return opened;
  }

  /** Rejects where nothing was sent. */
  async #whenReady(opened: OpenedClient): Promise<void> {
    try {
      await opened.ready;
    } catch (error) {
      this.#drop(opened);
      throw this.#parts.namedError(error);
    }
    if (this.#current !== opened && !this.#isClosed)
      throw new DatabaseUnavailableError("The connection was broken before the statement was sent.");
  }

  /** Ends a connection without waiting for answers. */
  #drop(opened: OpenedClient): void {
    this.#forget(opened);
    // In a pipeline `end` waits for all answers.
    opened.client.connection.stream.destroy();
  }

  #forget(opened: OpenedClient): void {
    if (this.#current === opened) this.#current = undefined;
  }
}

function ignore(): void {}
