import type { ErrorValues } from "@one-api/contract/error-codes";

/**
 * `refused` by a business rule (HTTP 200 with success false), by an `http` status, or in the `network` before any
 * answer.
 */
export type ApiErrorKind = "refused" | "http" | "network";

interface ApiErrorDetails {
  kind: ApiErrorKind;
  message: string;
  /** HTTP status; 0 when no answer came. */
  status: number;
  /** Machine-readable reason, from servers that give one. */
  code?: string | undefined;
  /** Values in the message: numbers, names, limits. */
  values?: ErrorValues | undefined;
  field?: string | undefined;
  /** Id that the server's log names too. */
  requestId?: string | undefined;
  /** The answer is not this API's: it is a proxy's, or a server's without the call. */
  isForeign?: boolean | undefined;
}

/** The one error that calls of the control API throw. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly kind: ApiErrorKind;
  readonly status: number;
  readonly code: string | undefined;
  readonly values: ErrorValues | undefined;
  readonly field: string | undefined;
  readonly requestId: string | undefined;
  readonly isForeign: boolean;

  constructor(details: ApiErrorDetails, options?: ErrorOptions) {
    super(details.message, options);
    this.kind = details.kind;
    this.status = details.status;
    this.code = details.code;
    this.values = details.values;
    this.field = details.field;
    this.requestId = details.requestId;
    this.isForeign = details.isForeign === true;
  }
}
