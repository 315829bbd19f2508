import type { IncomingHttpHeaders } from "node:http";
import type { LevelWithSilent, Logger } from "pino";
import type { EndedRequest } from "./ended-request.ts";
import type { RequestObserver } from "./telemetry.ts";

/** Fields of a line, in their order. They contain no bodies and no keys. */
export const REQUEST_LOG_FIELDS = [
  "requestId",
  "callerRequestId",
  "traceId",
  "userId",
  "tokenId",
  "endpoint",
  "dialect",
  "model",
  "channel",
  "upstreamModel",
  "stream",
  "result",
  "end",
  "status",
  "attempts",
  "ms",
  "firstByteMs",
  "gatewayMs",
  "promptTokens",
  "cachedTokens",
  "completionTokens",
  "charge",
] as const;

type RequestLogField = (typeof REQUEST_LOG_FIELDS)[number];

export interface RequestLogOptions {
  readonly level: Exclude<LevelWithSilent, "silent">;
  /** Part of the answered requests that is logged, 0 to 1. All others are logged. */
  readonly sample: number;
  readonly fields: readonly RequestLogField[];
}

const MOST_CHARACTERS = 256;

export function createRequestLog(
  log: Logger,
  { level, sample, fields }: RequestLogOptions,
  random: () => number = Math.random,
): RequestObserver {
  // The fields are fixed and have no secrets; looking for them takes 90 of 95 µs of a line.
  const lines = log.child({}, { redact: [] });
  return (request) => {
    if (request.result === "ok" && sample < 1 && random() >= sample) return;
    const all = describe(request);
    const line: Partial<Record<RequestLogField, string | number | boolean | undefined>> = {};
    for (const field of fields) line[field] = all[field];
    lines[level](line, "request");
  };
}

function describe(request: EndedRequest): Record<RequestLogField, string | number | boolean | undefined> {
  const { arrival, caller, parsed, route, usage, firstByteMs, gatewayMs } = request;
  return {
    requestId: arrival.requestId,
    callerRequestId: callerRequestId(arrival.headers),
    traceId: traceId(arrival.headers),
    userId: caller?.userId,
    tokenId: caller?.tokenId,
    endpoint: parsed?.endpoint,
    dialect: arrival.dialect.name,
    model: parsed?.model.slice(0, MOST_CHARACTERS),
    channel: route?.id,
    upstreamModel: route?.upstreamModel || undefined,
    stream: parsed?.stream,
    result: request.result,
    end: request.end,
    status: request.statusCode,
    attempts: request.attempts.length,
    ms: Math.round(request.elapsedMs),
    firstByteMs: firstByteMs === 0 ? undefined : firstByteMs,
    gatewayMs: gatewayMs === undefined ? undefined : Math.round(gatewayMs * 100) / 100,
    promptTokens: usage?.promptTokens,
    cachedTokens: usage?.cachedTokens,
    completionTokens: usage?.completionTokens,
    charge: request.charge,
  };
}

/** The caller's own id of the request; undefined where it has none, or one that is no plain word. */
function callerRequestId(headers: IncomingHttpHeaders): string | undefined {
  const id = headers["x-request-id"];
  return typeof id === "string" && /^[\x21-\x7e]{1,256}$/.test(id) ? id : undefined;
}

/** Trace of the caller (W3C Trace Context). */
function traceId(headers: IncomingHttpHeaders): string | undefined {
  const parent = headers["traceparent"];
  return typeof parent === "string" ? /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-/.exec(parent)?.[1] : undefined;
}
