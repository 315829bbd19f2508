/**
 * The database cannot do its work now: out of reach, busy for too long, or its disk is full or broken. Nothing of the failed
 * transaction was kept. `cause` holds the driver's own error.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name: string = "DatabaseUnavailableError";
}

/**
 * The connection broke while a transaction was committing: it may be on disk or not. Ask by the unique request id; doing the
 * work again without asking may do it twice.
 */
export class CommitOutcomeUnknownError extends DatabaseUnavailableError {
  override readonly name = "CommitOutcomeUnknownError";
}

/** The database refuses to start, for a reason that the operator can change; the message says which. */
export class DatabaseStartError extends Error {
  override readonly name = "DatabaseStartError";
}
