import type { Arrival, EndedRequest } from "./ended-request.ts";

/** An attempt at a provider. */
export interface TracedAttempt {
  readonly endpoint: string;
  readonly channelId: number;
  readonly channelType: number;
  /** The provider's name of the model. */
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
  /** Sends what is left. Never rejects. */
  close(): Promise<void>;
}
