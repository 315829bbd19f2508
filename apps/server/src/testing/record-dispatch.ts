import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";

/** Hears how one dispatched request goes. */
export class DispatchRecord implements Dispatcher.DispatchHandler {
  /** What it heard, in order; pieces of a body that came one after the other once. */
  readonly heard: string[] = [];
  readonly #pieces: Buffer[] = [];
  readonly #whenDone = Promise.withResolvers<void>();
  controller: Dispatcher.DispatchController | undefined;
  status = 0;
  headers: IncomingHttpHeaders = {};
  error: Error | undefined;
  /** Called at every piece of the body. */
  onPiece: ((controller: Dispatcher.DispatchController, bytes: Buffer) => void) | undefined;

  /** The end, or the error. */
  get done(): Promise<void> {
    return this.#whenDone.promise;
  }

  get body(): string {
    return Buffer.concat(this.#pieces).toString("latin1");
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    this.heard.push("start");
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.heard.push("head");
    this.status = status;
    this.headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, bytes: Buffer): void {
    if (this.heard.at(-1) !== "body") this.heard.push("body");
    this.#pieces.push(Buffer.from(bytes));
    this.onPiece?.(controller, bytes);
  }

  onResponseEnd(): void {
    this.heard.push("end");
    this.#whenDone.resolve();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.heard.push("error");
    this.error = error;
    this.#whenDone.resolve();
  }
}

/** Dispatches a request and returns what is heard of it, from its beginning. */
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
