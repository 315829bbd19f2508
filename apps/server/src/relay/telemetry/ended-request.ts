import type { IncomingHttpHeaders } from "node:http";
import type { LogResult } from "@one-api/contract/logs/log";
import type { UsageDetail } from "../../features/logs/index.ts";

export interface Arrival {
  readonly requestId: string;
  readonly headers: IncomingHttpHeaders;
  readonly dialect: { readonly name: string };
}

export interface EndedRequest {
  readonly arrival: Arrival;
  readonly caller: { readonly userId: number; readonly tokenId: number } | undefined;
  readonly parsed: { readonly endpoint: string; readonly model: string; readonly stream: boolean } | undefined;
  readonly route: EndedRoute | undefined;
  readonly attempts: UsageDetail["attempts"];
  readonly trace: RequestTrace | undefined;
  readonly result: LogResult;
  readonly end: string;
  /** Refused for this limit per minute: `requests`, `images` or `tokens`; else empty. */
  readonly limited: string;
  /** Status of the provider, or of a refusal; 0 without one. */
  readonly statusCode: number;
  /** Arrival on the monotonic clock, in ms. */
  readonly startedMs: number;
  readonly elapsedMs: number;
  readonly firstByteMs: number;
  /** Time without the caller's body and without waiting for providers, in ms; undefined where it is not measured. */
  readonly gatewayMs: number | undefined;
  readonly usage: EndedUsage | undefined;
  /** In quota. */
  readonly charge: number;
}

interface EndedRoute {
  readonly id: number;
  readonly upstreamModel: string;
}

interface EndedUsage {
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
}

export interface TracedAttempt {
  readonly endpoint: string;
  readonly channelId: number;
  readonly channelType: number;
  readonly model: string;
  readonly url: string;
}

/** Trace of one request. Its methods do not throw. */
export interface RequestTrace {
  /** Starts the span of an attempt. Returns the headers by which the provider continues the trace. */
  beginAttempt(attempt: TracedAttempt): Readonly<Record<string, string>>;
  /** Ends the span of the attempt, if one is open. `failure` is empty for an answer, `status` 0 without one. */
  endAttempt(status: number, failure: string): void;
  end(request: EndedRequest): void;
}

/** Makes traces, each as a part of the caller's trace if it sent one. */
export interface RequestTracer {
  begin(arrival: Arrival, startedMs: number): RequestTrace;
  close(): Promise<void>;
}
