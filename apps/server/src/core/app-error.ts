import { type ErrorCode, type ErrorValues, HTTP_STATUS_OF_ERROR } from "@one-api/contract/error-codes";

interface RefusalDetails {
  readonly field?: string;
  /** Values of the message, for translation. No secrets. */
  readonly values?: ErrorValues;
  readonly retryAfterSeconds?: number;
  /** Additional top-level fields of the answer, which older clients expect. */
  readonly topLevel?: ErrorValues;
}

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly values: ErrorValues | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly topLevel: ErrorValues | undefined;

  constructor(code: ErrorCode, message: string, more: RefusalDetails = {}) {
    super(message);
    this.name = "AppError";
    this.code = code;
    this.field = more.field;
    this.values = more.values;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.topLevel = more.topLevel;
  }

  get status(): number {
    return HTTP_STATUS_OF_ERROR[this.code];
  }
}
