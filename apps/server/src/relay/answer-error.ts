import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import type { RelayAsk } from "./body/read-ask.ts";
import type { Caller } from "./callers/caller-source.ts";
import type { RequestServices } from "./relay-dependencies.ts";
import { RelayError } from "./relay-error.ts";
import { UnservedError } from "./job/next-route.ts";
import { NotSettledError } from "./job/settle-request.ts";

/** A call whose key is known, as far as it came. */
export interface KnownCall {
  readonly caller: Caller;
  /** Set when an administrator named a channel behind the key. */
  readonly pinnedChannel: number | undefined;
  readonly startedMs: number;
  /** Undefined until the body could be read. */
  readonly ask: RelayAsk | undefined;
}

/**
 * Returns what the caller is told of an error. For a known token the answer names the contact of its owner and where its limits stand, and
 * a refusal of the gateway is told to the log; what failed at providers is in the log already.
 */
export function answerError(
  deps: RequestServices,
  error: unknown,
  requestId: string,
  call: KnownCall | undefined,
): RelayError {
  const answer = toRelayError(deps, error, requestId);
  if (call === undefined) return answer;
  const { caller, startedMs, ask } = call;
  // Only the gateway itself refuses so: what a provider did, and what broke down here, is told elsewhere.
  if (error instanceof RelayError) {
    deps.refusals.note({
      caller,
      requestId,
      error: answer,
      model: ask?.model ?? "",
      stream: ask?.stream ?? false,
      elapsedMs: deps.clock.monotonicMs() - startedMs,
    });
  }
  const isProvidersWords = error instanceof UnservedError && error.end === "bad-request";
  return answer.forToken(isProvidersWords ? "" : caller.customContact, deps.limiter.standing(caller.limits));
}

/** Errors of the relay pass as they are; anything else is an internal error, told to the server's log alone. */
function toRelayError(deps: RequestServices, error: unknown, requestId: string): RelayError {
  if (error instanceof RelayError) return error;
  if (error instanceof UnservedError) return error.answer;
  if (error instanceof DatabaseUnavailableError || error instanceof NotSettledError) return unavailable();
  deps.log.error({ err: error, requestId }, "a relayed request failed");
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
