import type { CallerResponse } from "@one-api/http1/server/caller-exchange";

/** Request whose caller half-closed its connection. */
export interface ProbedRequest {
  readonly response: CallerResponse;
  readonly httpVersion: string;
  readonly isCallerGone: boolean;
  /** A comment for the stream; undefined where none may be sent. */
  readonly comment: string | undefined;
}

const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Repeatedly sends an interim response (RFC 9110, 15.2) or a stream comment. A waiting caller ignores it; a
 * disconnected one answers with a reset, which closes the response.
 */
export function probeCaller(request: ProbedRequest, pauseMs = FIRST_PAUSE_MS): void {
  const { response, comment } = request;
  if (request.isCallerGone || response.writableEnded) return;
  if (!response.headersSent) {
    if (request.httpVersion === "1.1") response.writeProcessing();
  } else if (comment !== undefined) response.write(comment);
  setTimeout(() => probeCaller(request, Math.min(pauseMs * 2, LONGEST_PAUSE_MS)), pauseMs);
}
