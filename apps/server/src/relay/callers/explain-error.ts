import type { Logger } from "pino";
import type { Clock } from "../../platform/clock.ts";
import { RelayError, toRelayError, UpstreamFailedError } from "../errors/index.ts";
import type { RateLimiter, WriteLimits } from "../limits/index.ts";
import type { Caller } from "./caller-source.ts";
import type { RefusalLog } from "./refusal-log.ts";

export interface IdentifiedCall {
  readonly caller: Caller;
  readonly pinnedChannel: number | undefined;
  readonly startedMs: number;
  readonly ask: { readonly model: string; readonly stream: boolean } | undefined;
}

interface ExplainServices {
  readonly limiter: Pick<RateLimiter, "headers">;
  readonly refusals: Pick<RefusalLog, "record">;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly log: Pick<Logger, "error">;
}

/** Returns the answer for an error, with the owner's contact and limits if the token is known. Refusals enter the refusal log. */
export function explainError(
  { limiter, refusals, clock, log }: ExplainServices,
  { writeLimits }: { readonly writeLimits: WriteLimits },
  error: unknown,
  requestId: string,
  call: IdentifiedCall | undefined,
): RelayError {
  const answer = toRelayError(error, log, requestId);
  if (call === undefined) return answer;
  const { caller, startedMs, ask } = call;
  if (error instanceof RelayError) {
    refusals.record({
      caller,
      requestId,
      error: answer,
      model: ask?.model ?? "",
      stream: ask?.stream ?? false,
      elapsedMs: clock.monotonicMs() - startedMs,
    });
  }
  const isProvidersMessage = error instanceof UpstreamFailedError && error.end === "bad-request";
  const headers = limiter.headers(caller.limits, writeLimits, ask?.model);
  return answer.forToken(isProvidersMessage ? "" : caller.customContact, headers);
}
