import { Dispatcher } from "undici";

/** What a provider is asked, and what a test answers. */
export class FakeExchange implements Dispatcher.DispatchController {
  readonly options: Dispatcher.DispatchOptions;
  aborted = false;
  paused = false;
  reason: Error | null = null;
  hasEnded = false;
  #hasHead = false;
  readonly #handler: Dispatcher.DispatchHandler;

  constructor(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
    this.options = options;
    this.#handler = handler;
  }

  start(): void {
    this.#handler.onRequestStart?.(this, undefined);
  }

  /** The provider has the whole request. */
  takes(): void {
    this.#handler.onRequestSent?.();
  }

  /** The head, which comes once. */
  head(status = 200, contentType = "text/event-stream"): void {
    if (this.#hasHead) return;
    this.#hasHead = true;
    this.#handler.onResponseStart?.(this, status, { "content-type": contentType });
  }

  /** A piece of the body; it comes with the head where that has not come. */
  piece(text: string): void {
    this.head();
    this.#handler.onResponseData?.(this, Buffer.from(text));
  }

  end(): void {
    this.head();
    this.hasEnded = true;
    this.#handler.onResponseEnd?.(this, {});
  }

  /** The connection fails with an error code of the HTTP client. */
  fail(code: string): void {
    this.hasEnded = true;
    this.#handler.onResponseError?.(this, Object.assign(new Error(code), { code }));
  }

  /** A whole JSON answer. */
  whole(answer: unknown, status = 200): void {
    this.head(status, "application/json");
    this.piece(JSON.stringify(answer));
    this.end();
  }

  abort(reason: Error): void {
    this.aborted = true;
    this.reason = reason;
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }
}

/** Providers that answer as a test says. */
export class FakeUpstream extends Dispatcher {
  readonly exchanges: FakeExchange[] = [];

  /** The newest exchange, unless it was aborted or has ended. */
  get newest(): FakeExchange | undefined {
    const exchange = this.exchanges.at(-1);
    return exchange?.aborted === true || exchange?.hasEnded === true ? undefined : exchange;
  }

  /** The newest exchange, which a test expects to be there. */
  get current(): FakeExchange {
    const exchange = this.exchanges.at(-1);
    if (exchange === undefined) throw new Error("No provider was called.");
    return exchange;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const exchange = new FakeExchange(options, handler);
    this.exchanges.push(exchange);
    exchange.start();
    return true;
  }
}
