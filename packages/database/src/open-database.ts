import type { Kysely } from "kysely";
import type { Listener, Listening } from "./dialects/postgres-notices.ts";
import type { Tables } from "./tables.ts";

/** Connection for statements that are transactions of their own. They run in the order of the calls. */
export interface StatementConnection {
  /**
   * Runs one statement; it is on disk when the promise resolves. Its text is planned once, by index. Rejects with
   * `CommitOutcomeUnknownError` if the connection was lost after sending.
   */
  readonly run: RunStatement;
  /** Breaks the connection. Running statements reject, and may still take effect. The next statement reconnects. */
  disconnect(): void;
  close(): Promise<void>;
}

export interface StatementOutcome {
  readonly rows: readonly Record<string, unknown>[];
  readonly changes: number;
}

export type StatementParameter = string | number | null;

/**
 * Runs a prepared statement in a write transaction. The text is a Kysely query compiled once. SQLite answers at once,
 * PostgreSQL with a promise: always await.
 */
export type RunStatement = (
  sql: string,
  parameters: readonly StatementParameter[],
) => StatementOutcome | Promise<StatementOutcome>;

/**
 * Durability of a commit. `on-disk`: survives a power cut. `in-order`: may be lost in one, unless a later commit is on
 * disk.
 */
export type Durability = "on-disk" | "in-order";

export interface OpenDatabase {
  readonly kind: "sqlite" | "postgres";
  readonly db: Kysely<Tables>;
  /** For statements without a time limit; elsewhere a silent server is given up. */
  readonly migrationDb: Kysely<Tables>;
  /**
   * Runs the work in a write transaction: on disk (unless `in-order`) when the promise resolves, rolled back if the
   * work throws. On SQLite it waits for the connection that Kysely shares.
   */
  writeTransaction<Result>(work: (run: RunStatement) => Promise<Result>, durability?: Durability): Promise<Result>;
  /** Opens another connection for single statements. Undefined on SQLite, where larger transactions cost no more. */
  readonly openStatements: (() => StatementConnection) | undefined;
  failedWrites(): number;
  connections(): ConnectionFigures;
  /** Listens on a channel, in the order of commits, until stopped or closed. Undefined on SQLite. */
  readonly listen: ((channel: string, listener: Listener) => Listening) | undefined;
  close(): Promise<void>;
}

/** Connections to the database, without those of `openStatements` and `listen`. */
interface ConnectionFigures {
  readonly open: number;
  readonly busy: number;
  readonly limit: number;
  /** Queries and transactions that wait for a connection or, on SQLite, for the lock for writing. */
  readonly waiting: number;
}

export interface DatabaseLocation {
  databaseUrl: string;
  dataDirectory: string;
}
