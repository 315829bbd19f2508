import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";

/** Records the events of one dispatched request. */
export class DispatchRecord implements Dispatcher.DispatchHandler {
  /** Events in order; consecutive chunks of the body count once. */
  readonly events: string[] = [];
  readonly #chunks: Buffer[] = [];
  readonly #whenDone = Promise.withResolvers<void>();
  controller: Dispatcher.DispatchController | undefined;
  status = 0;
  headers: IncomingHttpHeaders = {};
  error: Error | undefined;
  /** Called with each chunk of the body. */
  onChunk: ((controller: Dispatcher.DispatchController, bytes: Buffer) => void) | undefined;

  /** Resolves at the end or the error. */
  get done(): Promise<void> {
    return this.#whenDone.promise;
  }

  get body(): string {
    return Buffer.concat(this.#chunks).toString("latin1");
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    this.events.push("start");
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.events.push("head");
    this.status = status;
    this.headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, bytes: Buffer): void {
    if (this.events.at(-1) !== "body") this.events.push("body");
    this.#chunks.push(Buffer.from(bytes));
    this.onChunk?.(controller, bytes);
  }

  onResponseEnd(): void {
    this.events.push("end");
    this.#whenDone.resolve();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.events.push("error");
    this.error = error;
    this.#whenDone.resolve();
  }
}

/** Dispatches a request and records its events. */
export function recordDispatch(
  client: Dispatcher,
  origin: string,
  options: Partial<Dispatcher.DispatchOptions> = {},
): DispatchRecord {
  const record = new DispatchRecord();
  const usual = { path: "/v1/chat", method: "POST", headers: { "content-type": "application/json" } } as const;
  client.dispatch({ origin, body: Buffer.from("{}"), ...usual, ...options }, record);
  return record;
}
