import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import type { FastifyRequest } from "fastify";
import type { RelayAsk } from "./body/read-ask.ts";
import type { Caller } from "./callers/caller-source.ts";
import type { RelayDependencies } from "./relay-dependencies.ts";
import { RelayError } from "./relay-error.ts";
import { UnservedError } from "./serve-job.ts";
import { NotSettledError } from "./settle-job.ts";

/** A call whose key is known, as far as it came. */
export interface KnownCall {
  readonly caller: Caller;
  readonly startedMs: number;
  /** Undefined until the body could be read. */
  readonly ask: RelayAsk | undefined;
}

/**
 * Returns what the caller is told of an error. For a known token the answer names the contact of its owner and where its limits stand, and
 * a refusal of the gateway is told to the log; what failed at providers is in the log already.
 */
export function answerError(
  deps: RelayDependencies,
  error: unknown,
  request: FastifyRequest,
  call: KnownCall | undefined,
): RelayError {
  const answer = toRelayError(error, request);
  if (call === undefined) return answer;
  const { caller, startedMs, ask } = call;
  if (isRefusal(error, answer)) {
    deps.refusals.note({
      caller,
      requestId: request.id,
      error: answer,
      model: ask?.model ?? "",
      stream: ask?.stream ?? false,
      elapsedMs: deps.clock.monotonicMs() - startedMs,
    });
  }
  const isProvidersWords = error instanceof UnservedError && error.end === "bad-request";
  return answer.forToken(isProvidersWords ? "" : caller.customContact, deps.limiter.standing(caller.limits));
}

/** True when the gateway itself says no; false when a provider failed, the caller was served in part or the gateway broke down. */
function isRefusal(error: unknown, answer: RelayError): boolean {
  return error instanceof RelayError || (!(error instanceof UnservedError) && answer.status < 500);
}

/** Errors of the relay pass as they are, Fastify's own keep their status; anything else is an internal error, told to the log alone. */
function toRelayError(error: unknown, request: FastifyRequest): RelayError {
  if (error instanceof RelayError) return error;
  if (error instanceof UnservedError) return error.answer;
  if (error instanceof DatabaseUnavailableError || error instanceof NotSettledError) return unavailable();
  const status =
    error instanceof Error && "statusCode" in error && typeof error.statusCode === "number" ? error.statusCode : 500;
  if (status === 413)
    return new RelayError({
      status,
      type: "invalid_request_error",
      code: "body_too_large",
      message: "The body is larger than 32 MiB.",
    });
  if (status < 500)
    return new RelayError({
      status,
      type: "invalid_request_error",
      code: "invalid_request",
      message: "The request could not be read.",
    });
  request.log.error({ err: error, requestId: request.id }, "a relayed request failed");
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
