import type { Logger } from "pino";
import type { Clock } from "../../platform/clock.ts";
import { RelayError, toRelayError, UpstreamFailedError } from "../errors/index.ts";
import type { Caller } from "./caller-source.ts";
import type { RefusalLog } from "./refusal-log.ts";
import type { TokenLimiter } from "./token-limiter.ts";

export interface IdentifiedCall {
  readonly caller: Caller;
  readonly pinnedChannel: number | undefined;
  readonly startedMs: number;
  readonly parsed: { readonly model: string; readonly stream: boolean } | undefined;
}

interface ExplainServices {
  readonly limiter: Pick<TokenLimiter, "standing">;
  readonly refusals: Pick<RefusalLog, "record">;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly log: Pick<Logger, "error">;
}

/** Returns the answer for an error, with the owner's contact and limits if the token is known. Refusals enter the refusal log. */
export function explainError(
  { limiter, refusals, clock, log }: ExplainServices,
  error: unknown,
  requestId: string,
  call: IdentifiedCall | undefined,
): RelayError {
  const answer = toRelayError(error, log, requestId);
  if (call === undefined) return answer;
  const { caller, startedMs, parsed } = call;
  if (error instanceof RelayError) {
    refusals.record({
      caller,
      requestId,
      error: answer,
      model: parsed?.model ?? "",
      stream: parsed?.stream ?? false,
      elapsedMs: clock.monotonicMs() - startedMs,
    });
  }
  const isProvidersMessage = error instanceof UpstreamFailedError && error.end === "bad-request";
  return answer.forToken(isProvidersMessage ? "" : caller.customContact, limiter.standing(caller.limits));
}
