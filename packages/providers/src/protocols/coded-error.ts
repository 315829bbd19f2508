import type { Failure } from "../failure.ts";
import type { AnswerHeaders } from "../shared/retry-after.ts";
import { readError } from "./read-error.ts";

export interface CodedError {
  readonly code: string;
  readonly message: string;
}

/**
 * Reads an error with a code of its own. `status` is the equivalent HTTP status, which the failure reports. Never
 * throws; the message holds no secrets and no addresses.
 */
export function readCodedError(status: number, headers: AnswerHeaders, error: CodedError, now?: Date): Failure {
  return readError(status, headers, JSON.stringify({ error }), now);
}
