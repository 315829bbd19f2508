import type { Failure } from "../failure.ts";
import type { AnswerHeaders } from "../shared/retry-after.ts";
import { readError } from "./read-error.ts";

/** What a provider says of an error by a code of its own. */
export interface CodedError {
  readonly code: string;
  readonly message: string;
}

/**
 * Reads an error whose code says what it is, whatever status it came with: `status` is the one that says the same, and the failure bears it. Never
 * throws; the message holds no secrets and no addresses.
 */
export function readCodedError(status: number, headers: AnswerHeaders, error: CodedError, now?: Date): Failure {
  return readError(status, headers, JSON.stringify({ error }), now);
}
