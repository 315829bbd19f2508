import type { Logger } from "pino";
import type { Clock } from "../../platform/clock.ts";
import { RelayError, toRelayError, UpstreamFailedError } from "../errors/index.ts";
import type { Caller } from "./caller-source.ts";
import type { RefusalLog } from "./refusal-log.ts";
import type { TokenLimiter } from "./token-limiter.ts";

/** A call whose key is known, as far as it came. */
export interface IdentifiedCall {
  readonly caller: Caller;
  /** Channel that an administrator named behind the key. */
  readonly pinnedChannel: number | undefined;
  readonly startedMs: number;
  /** Undefined until the body is parsed. */
  readonly ask: { readonly model: string; readonly stream: boolean } | undefined;
}

interface ExplainServices {
  readonly limiter: Pick<TokenLimiter, "standing">;
  readonly refusals: Pick<RefusalLog, "note">;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly log: Pick<Logger, "error">;
}

/**
 * Returns the answer to the caller for an error. For a known token it names the owner's contact and the token's limits, and a refusal of the gateway
 * itself enters the refusal log; failures of providers are in the log already.
 */
export function explainError(
  { limiter, refusals, clock, log }: ExplainServices,
  error: unknown,
  requestId: string,
  call: IdentifiedCall | undefined,
): RelayError {
  const answer = toRelayError(error, log, requestId);
  if (call === undefined) return answer;
  const { caller, startedMs, ask } = call;
  if (error instanceof RelayError) {
    refusals.note({
      caller,
      requestId,
      error: answer,
      model: ask?.model ?? "",
      stream: ask?.stream ?? false,
      elapsedMs: clock.monotonicMs() - startedMs,
    });
  }
  const isProvidersMessage = error instanceof UpstreamFailedError && error.end === "bad-request";
  return answer.forToken(isProvidersMessage ? "" : caller.customContact, limiter.standing(caller.limits));
}
