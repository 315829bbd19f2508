/**
 * The database is unavailable: unreachable, busy, or its disk full or broken. The failed transaction had no effect.
 * `cause` is the driver's error.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name: string = "DatabaseUnavailableError";
}

/** Time for which requests wait for a PostgreSQL that is away, in ms: most failovers and restarts take less. */
export const OUTAGE_WAIT_MS = 10_000;

/** The wait for each database: none for SQLite, since a failed file does not recover. */
export function outageWaitMs(kind: "sqlite" | "postgres"): number {
  return kind === "sqlite" ? 0 : OUTAGE_WAIT_MS;
}

/**
 * The connection or disk failed during a commit, which may have succeeded or not. Look up the unique request id before
 * repeating the work.
 */
export class CommitOutcomeUnknownError extends DatabaseUnavailableError {
  override readonly name = "CommitOutcomeUnknownError";
}

/** The database refuses to start; the message tells the operator what to change. */
export class DatabaseStartError extends Error {
  override readonly name = "DatabaseStartError";
}

type ConstraintKind = "unique" | "check" | "foreign-key" | "not-null";

/** SQLite's extended result codes (sqlite.org/rescode.html). */
const SQLITE_CODES: ReadonlyMap<unknown, ConstraintKind> = new Map([
  [2067, "unique"],
  [1555, "unique"],
  [275, "check"],
  [787, "foreign-key"],
  [1299, "not-null"],
]);

/** PostgreSQL's SQLSTATE class 23 (postgresql.org/docs/current/errcodes-appendix.html). */
const POSTGRES_CODES: ReadonlyMap<unknown, ConstraintKind> = new Map([
  ["23505", "unique"],
  ["23514", "check"],
  ["23503", "foreign-key"],
  ["23502", "not-null"],
]);

/** Returns the kind of constraint that a statement violated, on either database; undefined for other errors. */
export function violatedConstraint(error: unknown): ConstraintKind | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("errcode" in error) return SQLITE_CODES.get(error.errcode);
  return "code" in error ? POSTGRES_CODES.get(error.code) : undefined;
}
