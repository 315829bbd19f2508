import type { Dispatcher } from "undici";
import type { ResponseHead } from "./response-head.ts";
import type { ResponseSink } from "./response-parser.ts";

/** Default timeout of undici, in ms. */
const DEFAULT_TIMEOUT_MS = 300_000;

interface ExchangeConnection {
  readonly hasSent: boolean;
  pause(): void;
  resume(): void;
  destroy(): void;
}

/** One request and its response. The handler receives its events in order, and none after the end or an error. */
export class Exchange implements Dispatcher.DispatchController, ResponseSink {
  readonly requestHead: string;
  readonly requestBody: Buffer | undefined;
  readonly headersTimeoutMs: number;
  readonly bodyTimeoutMs: number;
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #ended: () => void;
  connection: ExchangeConnection | undefined;
  #paused = false;
  #isOver = false;
  #reason: Error | null = null;
  #hasHead = false;
  #isRefused = false;

  constructor(
    options: Dispatcher.DispatchOptions,
    requestHead: string,
    handler: Dispatcher.DispatchHandler,
    ended: () => void,
  ) {
    this.requestHead = requestHead;
    this.requestBody = Buffer.isBuffer(options.body) && options.body.length > 0 ? options.body : undefined;
    this.headersTimeoutMs = options.headersTimeout ?? DEFAULT_TIMEOUT_MS;
    this.bodyTimeoutMs = options.bodyTimeout ?? DEFAULT_TIMEOUT_MS;
    this.#handler = handler;
    this.#ended = ended;
  }

  get paused(): boolean {
    return this.#paused;
  }

  get aborted(): boolean {
    return this.#reason !== null;
  }

  get reason(): Error | null {
    return this.#reason;
  }

  /** The handler has received its last event. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get hasHead(): boolean {
    return this.#hasHead;
  }

  /** The response is an error, which a server may send before it has read the request. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** The system has the whole request; more cannot be known. */
  get isSent(): boolean {
    return this.connection?.hasSent === true;
  }

  get isStopped(): boolean {
    return this.#paused || this.#isOver;
  }

  start(): void {
    this.#handler.onRequestStart?.(this, undefined);
  }

  pause(): void {
    this.#paused = true;
    this.connection?.pause();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.connection?.resume();
  }

  abort(reason: Error): void {
    if (this.#isOver) return;
    this.#reason = reason;
    this.fail(reason);
  }

  /** Ends the exchange with an error, and closes its connection. */
  fail(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { connection } = this;
    this.connection = undefined;
    this.#handler.onResponseError?.(this, error);
    connection?.destroy();
    this.#ended();
  }

  head({ status, headers }: ResponseHead): void {
    if (status >= 200) this.#hasHead = true;
    this.#isRefused = status >= 400;
    this.#handler.onResponseStart?.(this, status, headers);
  }

  body(bytes: Buffer): void {
    this.#handler.onResponseData?.(this, bytes);
  }

  end(): void {
    this.#isOver = true;
    this.connection = undefined;
    try {
      this.#handler.onResponseEnd?.(this, {});
    } catch (error) {
      this.#handler.onResponseError?.(this, toError(error));
    }
    this.#ended();
  }
}

export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
