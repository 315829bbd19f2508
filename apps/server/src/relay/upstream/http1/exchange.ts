import type { Dispatcher } from "undici";
import type { ResponseHead } from "./response-head.ts";
import type { ResponseSink } from "./response-parser.ts";

/** Waits of undici where a request names none, in ms. */
const DEFAULT_WAIT_MS = 300_000;

/** What an exchange needs of its connection. */
interface ExchangeConnection {
  /** All that was written has left to the system. */
  readonly hasSent: boolean;
  /** Nothing more is taken until `goOn`. */
  stop(): void;
  /** More is taken after a pause. */
  goOn(): void;
  /** Closes it at once. */
  destroy(): void;
}

/** One request and its response. Its handler hears everything in order, and nothing after the end. */
export class Exchange implements Dispatcher.DispatchController, ResponseSink {
  /** What stands before the body. */
  readonly requestHead: string;
  readonly requestBody: Buffer | undefined;
  readonly headersTimeoutMs: number;
  readonly bodyTimeoutMs: number;
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #ended: () => void;
  /** It stands on this connection. */
  connection: ExchangeConnection | undefined;
  #paused = false;
  #isOver = false;
  #reason: Error | null = null;
  #answerBegan = false;
  #isRefused = false;

  constructor(
    options: Dispatcher.DispatchOptions,
    requestHead: string,
    handler: Dispatcher.DispatchHandler,
    ended: () => void,
  ) {
    this.requestHead = requestHead;
    this.requestBody = Buffer.isBuffer(options.body) && options.body.length > 0 ? options.body : undefined;
    this.headersTimeoutMs = options.headersTimeout ?? DEFAULT_WAIT_MS;
    this.bodyTimeoutMs = options.bodyTimeout ?? DEFAULT_WAIT_MS;
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

  /** Its handler has heard everything. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The response's own head has come. */
  get answerBegan(): boolean {
    return this.#answerBegan;
  }

  /** The answer is an error: it may have come before the server has read the request. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** The server has the whole request, as far as that can be known. */
  get isSent(): boolean {
    return this.connection?.hasSent === true;
  }

  get isStopped(): boolean {
    return this.#paused || this.#isOver;
  }

  /** Tells the handler how it can stop everything, which it may do at once. */
  start(): void {
    this.#handler.onRequestStart?.(this, undefined);
  }

  pause(): void {
    this.#paused = true;
    this.connection?.stop();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.connection?.goOn();
  }

  abort(reason: Error): void {
    if (this.#isOver) return;
    this.#reason = reason;
    this.fail(reason);
  }

  /** Ends it without an answer, or in the middle of one; its connection cannot be used any more. */
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
    if (status >= 200) this.#answerBegan = true;
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

/** What was thrown, as an error. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
