/**
 * The database cannot do its work now: out of reach, busy for too long, or its disk is full or broken. Nothing of the failed
 * transaction was kept. `cause` holds the driver's own error.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name: string = "DatabaseUnavailableError";
}

/**
 * The connection broke while a transaction was committing, or the disk failed when it was to keep it: it may be on disk or not. Ask by the unique request id; doing the
 * work again without asking may do it twice.
 */
export class CommitOutcomeUnknownError extends DatabaseUnavailableError {
  override readonly name = "CommitOutcomeUnknownError";
}

/** The database refuses to start, for a reason that the operator can change; the message says which. */
export class DatabaseStartError extends Error {
  override readonly name = "DatabaseStartError";
}

/** The kinds of rule that a table keeps. */
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

/** Returns which kind of rule a statement's error is about, on either database; undefined for every other error. */
export function violatedConstraint(error: unknown): ConstraintKind | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("errcode" in error) return SQLITE_CODES.get(error.errcode);
  return "code" in error ? POSTGRES_CODES.get(error.code) : undefined;
}
