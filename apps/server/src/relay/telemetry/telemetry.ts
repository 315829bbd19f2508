import type { Arrival, EndedRequest, RequestTrace, RequestTracer } from "./ended-request.ts";

/** Receives each request that has ended. Must not throw. */
export type RequestObserver = (request: EndedRequest) => void;

/** Passes ended requests to metrics, request log and traces. Without an observer it costs nothing. */
export class Telemetry {
  readonly #observers: RequestObserver[] = [];
  #tracer: RequestTracer | undefined;

  get isOn(): boolean {
    return this.#observers.length > 0;
  }

  observe(observer: RequestObserver): void {
    this.#observers.push(observer);
  }

  trace(tracer: RequestTracer): void {
    this.#tracer = tracer;
    this.observe((request) => {
      const trace = request.trace ?? tracer.begin(request.arrival, request.startedMs);
      trace.end(request);
    });
  }

  begin(arrival: Arrival, startedMs: number): RequestTrace | undefined {
    return this.#tracer?.begin(arrival, startedMs);
  }

  ended(request: EndedRequest): void {
    for (const observe of this.#observers) observe(request);
  }
}
