import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import type { Logger } from "pino";
import { NotSettledError } from "./not-settled-error.ts";
import { RelayError } from "./relay-error.ts";
import { UpstreamFailedError } from "./upstream-failed-error.ts";

/** Returns the answer to the caller for any error. An error that the relay does not know is a 500, and its details go to the server's log alone. */
export function toRelayError(error: unknown, log: Pick<Logger, "error">, requestId: string): RelayError {
  if (error instanceof RelayError) return error;
  if (error instanceof UpstreamFailedError) return error.answer;
  if (error instanceof DatabaseUnavailableError || error instanceof NotSettledError) return unavailable();
  log.error({ err: error, requestId }, "a relayed request failed");
  return new RelayError({
    status: 500,
    code: "internal_error",
    message: "The gateway failed. Try again; an administrator finds the cause in the server's log.",
  });
}

function unavailable(): RelayError {
  const message = "The gateway cannot book requests right now. Try again in a moment.";
  return new RelayError({ status: 503, code: "unavailable", message, retryAfterSeconds: 5 });
}
