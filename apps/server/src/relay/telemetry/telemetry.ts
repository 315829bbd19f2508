import type { EndedRequest } from "./ended-request.ts";

/** Receives each request that has ended. Must not throw. */
export type RequestObserver = (request: EndedRequest) => void;

/** Passes ended requests to metrics, request log and traces. Without an observer it costs nothing. */
export class Telemetry {
  readonly #observers: RequestObserver[] = [];

  /** False while nothing observes requests: callers then describe none. */
  get isOn(): boolean {
    return this.#observers.length > 0;
  }

  observe(observer: RequestObserver): void {
    this.#observers.push(observer);
  }

  ended(request: EndedRequest): void {
    for (const observe of this.#observers) observe(request);
  }
}
