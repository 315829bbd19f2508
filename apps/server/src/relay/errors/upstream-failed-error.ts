import type { Failure, FailureKind } from "@one-api/providers/failure";
import { answerForFailure } from "./answer-for-failure.ts";
import type { RelayError } from "./relay-error.ts";

/** The request failed on every candidate that was tried. */
export class UpstreamFailedError extends Error {
  override name = "UpstreamFailedError";
  readonly answer: RelayError;
  readonly end: FailureKind;
  /** HTTP status of the last answer, for the log; 0 when none came. */
  readonly statusCode: number;

  constructor(answer: RelayError, end: FailureKind, statusCode: number) {
    super(answer.message);
    this.answer = answer;
    this.end = end;
    this.statusCode = statusCode;
  }
}

/** Returns the error of a request whose last attempt failed so. */
export function upstreamFailed(failure: Failure): UpstreamFailedError {
  return new UpstreamFailedError(answerForFailure(failure), failure.kind, failure.status);
}
