import type pg from "pg";
import { CommitOutcomeUnknownError, DatabaseUnavailableError } from "../database-errors.ts";
import type { StatementConnection, StatementOutcome, StatementParameter } from "../open-database.ts";
import { isConnectionLoss, isReadOnly, reasonOf } from "./postgres-errors.ts";
import { runStatement } from "./postgres-transaction.ts";

interface StatementParts {
  readonly openClient: () => pg.Client;
  readonly settings: string;
  /** True if the client's server is no longer the current one. */
  readonly isLeft: (client: pg.Client) => boolean;
  readonly namedError: (error: unknown) => unknown;
}

interface OpenedClient {
  readonly client: pg.Client;
  readonly ready: Promise<unknown>;
}

/** See `StatementConnection`. Connects for the first statement, and again after a lost connection. */
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
    // The running or next statement receives the error.
    client.on("error", ignore);
    client.once("end", () => this.#forget(opened));
    this.#current = opened;
    return opened;
  }

  /** Rejects if nothing was sent. */
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
