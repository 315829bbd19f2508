import { type ErrorCode, type ErrorValues, HTTP_STATUS_OF_ERROR } from "@one-api/contract/error-codes";

/** What a refusal carries beside its code and message. */
interface RefusalParts {
  readonly field?: string;
  /** What the message names, so that the console can say it in the reader's language. No secrets. */
  readonly values?: ErrorValues;
  readonly retryAfterSeconds?: number;
  /** What the answer says beside success and message, as older clients expect. */
  readonly topLevel?: ErrorValues;
}

/** A refusal that its caller may read: a closed code, a message that names the fix, and the field it is about. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly values: ErrorValues | undefined;
  /** For refusals with status 429: seconds until another try makes sense. */
  readonly retryAfterSeconds: number | undefined;
  readonly topLevel: ErrorValues | undefined;

  constructor(code: ErrorCode, message: string, more: RefusalParts = {}) {
    super(message);
    this.name = "AppError";
    this.code = code;
    this.field = more.field;
    this.values = more.values;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.topLevel = more.topLevel;
  }

  /** HTTP status of the answer. */
  get status(): number {
    return HTTP_STATUS_OF_ERROR[this.code];
  }
}
