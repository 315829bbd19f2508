/** The kinds of rule that a table keeps. */
export type ConstraintKind = "unique" | "check" | "foreign-key" | "not-null";

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
