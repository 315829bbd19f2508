import { type ErrorCode, HTTP_STATUS_OF_ERROR } from "@one-api/contract/error-codes";

/** A refusal that its caller may read: a closed code, a message that names the fix, and the field it is about. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly field: string | undefined;
  /** For `too-many-requests`: seconds until another try makes sense. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, more: { field?: string; retryAfterSeconds?: number } = {}) {
    super(message);
    this.name = "AppError";
    this.code = code;
    this.field = more.field;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }

  /** HTTP status of the answer. */
  get status(): number {
    return HTTP_STATUS_OF_ERROR[this.code];
  }
}
