import type { LogResult } from "@one-api/contract/logs/log";
import type { Logger } from "pino";
import type { Clock } from "../../platform/clock.ts";
import { RESULT_OF_FAILURE } from "../../features/logs/index.ts";
import { RelayError, toRelayError, UpstreamFailedError } from "../errors/index.ts";
import type { RateLimiter, WriteLimits } from "../limits/index.ts";
import type { Arrival, EndedRequest, Telemetry } from "../telemetry/index.ts";
import type { Caller } from "./caller-source.ts";
import { BUDGET_EXCEEDED, type RefusalLog } from "./refusal-log.ts";

export interface IdentifiedCall {
  readonly caller: Caller;
  readonly pinnedChannel: number | undefined;
  readonly startedMs: number;
  readonly parsed: EndedRequest["parsed"];
}

interface ExplainServices {
  readonly limiter: Pick<RateLimiter, "headers">;
  readonly refusals: Pick<RefusalLog, "record">;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly log: Pick<Logger, "error">;
  readonly telemetry: Telemetry;
}

/**
 * Returns the answer for an error, with the owner's contact and limits if the token is known. Refusals enter the refusal log. `served` has a
 * reservation: its settlement describes every end but a refusal.
 */
export function explainError(
  { limiter, refusals, clock, log, telemetry }: ExplainServices,
  error: unknown,
  arrival: Arrival & { readonly dialect: { readonly writeLimits: WriteLimits } },
  call: IdentifiedCall | undefined,
  served?: Pick<EndedRequest, "attempts" | "trace">,
): RelayError {
  const { requestId } = arrival;
  const answer = toRelayError(error, log, requestId);
  if (telemetry.isOn && (served === undefined || error instanceof RelayError)) {
    telemetry.ended(toEndedRequest(arrival, call, { error, answer, served }, clock.monotonicMs()));
  }
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
  const headers = limiter.headers(caller.limits, arrival.dialect.writeLimits, parsed && [parsed.model]);
  return answer.forToken(isProvidersMessage ? "" : caller.customContact, headers);
}

interface Refused {
  readonly served: Pick<EndedRequest, "attempts" | "trace"> | undefined;
  readonly error: unknown;
  readonly answer: RelayError;
}

function toEndedRequest(
  arrival: Arrival,
  call: IdentifiedCall | undefined,
  { error, answer, served }: Refused,
  nowMs: number,
): EndedRequest {
  const startedMs = call?.startedMs ?? nowMs;
  const attempts = served?.attempts ?? [];
  const last = attempts.at(-1);
  return {
    arrival,
    caller: call?.caller,
    parsed: call?.parsed,
    route: last && { id: last.channel, upstreamModel: "" },
    attempts,
    trace: served?.trace,
    result: resultOf(error),
    end: answer.code ?? "",
    limited: typeof answer.values?.limited === "string" ? answer.values.limited : "",
    statusCode: answer.status,
    startedMs,
    elapsedMs: nowMs - startedMs,
    firstByteMs: 0,
    gatewayMs: undefined,
    usage: undefined,
    charge: 0,
  };
}

function resultOf(error: unknown): LogResult {
  if (error instanceof RelayError) return error.code === BUDGET_EXCEEDED ? "over-budget" : "refused";
  return error instanceof UpstreamFailedError ? RESULT_OF_FAILURE[error.end] : "gateway-failed";
}
