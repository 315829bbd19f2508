import type { Kysely } from "kysely";
import type { Listener, Listening } from "./dialects/postgres-notices.ts";
import type { Tables } from "./tables.ts";

/** A connection for statements that are transactions of their own. They run in the order of the calls. */
export interface StatementConnection {
  /**
   * Runs one statement: committed and on disk when the promise resolves. Its text is planned once, with indexes wherever there are some. Rejects with
   * `CommitOutcomeUnknownError` when the connection was lost after the statement was sent.
   */
  readonly run: RunStatement;
  /** Breaks the connection. Statements under way reject, and may happen all the same. The next statement connects again. */
  disconnect(): void;
  /** Ends the connection after the statements under way. */
  close(): Promise<void>;
}

/** What one statement did. */
export interface StatementOutcome {
  readonly rows: readonly Record<string, unknown>[];
  /** Rows that an insert, update or delete touched. */
  readonly changes: number;
}

/** A value that goes into a statement. */
export type StatementParameter = string | number | null;

/**
 * Runs one prepared statement inside a write transaction. The text comes from a Kysely query compiled once; SQLite answers
 * at once, PostgreSQL with a promise, so callers always await.
 */
export type RunStatement = (
  sql: string,
  parameters: readonly StatementParameter[],
) => StatementOutcome | Promise<StatementOutcome>;

/**
 * When a commit counts. `on-disk`: once it survives a power cut. `in-order`: at once; a power cut may undo it, unless something that was
 * committed behind it is on disk.
 */
export type Durability = "on-disk" | "in-order";

/** An open database: Kysely for everything, and prepared statements for the few that every relayed request runs. */
export interface OpenDatabase {
  readonly kind: "sqlite" | "postgres";
  readonly db: Kysely<Tables>;
  /** The same for statements that may take as long as they need; elsewhere a server that does not answer is given up. */
  readonly migrationDb: Kysely<Tables>;
  /**
   * Runs the work in one write transaction: committed and, unless `in-order` is enough, on disk when the promise resolves, rolled back
   * when the work throws. On SQLite it takes the one connection that Kysely uses too, in turn.
   */
  writeTransaction<Result>(work: (run: RunStatement) => Promise<Result>, durability?: Durability): Promise<Result>;
  /** Opens one more connection for single statements. Undefined on SQLite, where a transaction of several statements costs no more. */
  readonly openStatements: (() => StatementConnection) | undefined;
  /** Returns how many writes of transactions and statements failed since the start because the database could not take them. */
  failedWrites(): number;
  /** Returns the state of the connections for queries and transactions. */
  connections(): ConnectionFigures;
  /** Hears what is told on a channel, in the order of commits, until it is stopped or the database is closed. Undefined on SQLite. */
  readonly listen: ((channel: string, listener: Listener) => Listening) | undefined;
  close(): Promise<void>;
}

/** Connections to the database, without those of `openStatements` and `listen`. */
interface ConnectionFigures {
  readonly open: number;
  readonly busy: number;
  /** Queries and transactions that wait for a connection or, on SQLite, for the lock for writing. */
  readonly waiting: number;
}

export interface DatabaseLocation {
  /** `postgres://…`; empty for SQLite. */
  databaseUrl: string;
  /** Folder of the SQLite file. */
  dataDirectory: string;
}
