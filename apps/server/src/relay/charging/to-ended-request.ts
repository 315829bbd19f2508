import type { EndedRequest } from "../telemetry/index.ts";
import type { Outcome } from "./outcome.ts";
import type { ReservedRequest } from "./reserved-request.ts";

/** Returns the time that the gateway itself has added to a request so far, in ms; undefined for a session. */
export function gatewayMs(
  { receivedMs }: Pick<ReservedRequest, "receivedMs">,
  { providerMs }: Pick<Outcome, "providerMs">,
  nowMs: number,
): number | undefined {
  return providerMs === undefined ? undefined : Math.max(0, nowMs - receivedMs - providerMs);
}

/** Describes a settled request. `charge` is in quota, `nowMs` on the monotonic clock. */
export function toEndedRequest(job: ReservedRequest, end: Outcome, charge: number, nowMs: number): EndedRequest {
  const { usage } = end;
  const channelId = end.route?.id ?? job.attempts.at(-1)?.channel;
  return {
    arrival: job,
    caller: job.caller,
    parsed: job.parsed,
    route: channelId === undefined ? undefined : { id: channelId, upstreamModel: end.route?.upstreamModel ?? "" },
    // A session connects once, before its answers.
    attempts: end.providerMs === undefined ? [] : job.attempts,
    trace: job.trace,
    result: end.result,
    end: end.end,
    limited: "",
    statusCode: end.statusCode,
    startedMs: job.startedMs,
    elapsedMs: nowMs - job.startedMs,
    firstByteMs: end.firstByteMs,
    gatewayMs: gatewayMs(job, end, nowMs),
    usage: usage && {
      promptTokens: usage.promptTokens,
      cachedTokens: usage.cachedTokens + usage.cachedAudioTokens,
      completionTokens: usage.completionTokens,
    },
    charge,
  };
}
