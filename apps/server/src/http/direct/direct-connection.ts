import type { Socket } from "node:net";
import type { CallerRequest, CallerResponse } from "../../platform/requests/caller-exchange.ts";
import { readIntoOnePiece } from "../../platform/network/one-piece.ts";
import { DirectRequest } from "./direct-request.ts";
import { type AnswerConnection, DirectResponse } from "./direct-response.ts";
import { HeadReader } from "./read-head.ts";

/** How long a connection may take, in ms. */
export interface ConnectionTimes {
  /** Until its first request has come. */
  readonly headersTimeout: number;
  /** From a request's head to the end of its body. */
  readonly requestTimeout: number;
  /** Without a request. */
  readonly keepAliveTimeout: number;
  /** From an answer to the end of a body that it did not wait for. */
  readonly unreadBodyTimeout: number;
}

/** Why what came is no whole request, as Node says it: the connection was closed in the middle, or it took too long. */
export type Refusal = "HPE_INVALID_EOF_STATE" | "ERR_HTTP_REQUEST_TIMEOUT";

/** What all connections that are read directly have in common. */
export interface DirectServing extends ConnectionTimes {
  /** What answers a POST to the address; undefined where that is Node's to bring. */
  answererOf(url: string): ((request: CallerRequest, response: CallerResponse) => void) | undefined;
  /** Gives the connection to Node's HTTP server, with the bytes that were read and not used. */
  handOver(connection: DirectConnection, bytes: Buffer): void;
  /** Answers what is no request, and closes the connection. */
  refuse(socket: Socket, code: Refusal): void;
  left(connection: DirectConnection): void;
  /** True when each answer closes its connection. */
  isEnding(): boolean;
  /** Called when an answer has left on a connection that stays open although answers close theirs. */
  answered(connection: DirectConnection): void;
}

/** Node adds this, too, to what it tells the caller, so that a request that was sent at the last moment is still taken. */
const KEEP_ALIVE_BUFFER_MS = 1_000;

/** A request and its answer. */
interface Exchange {
  readonly request: DirectRequest;
  readonly response: DirectResponse;
}

/**
 * A caller's connection, of which requests in the plain form are read directly. The first request in any other form takes the connection to
 * Node's HTTP server for good.
 */
export class DirectConnection implements AnswerConnection {
  readonly socket: Socket;
  readonly keepAliveSeconds: number;
  readonly #serving: DirectServing;
  readonly #heads = new HeadReader();
  #exchange: Exchange | undefined;
  #isUsed = false;
  /** What was sent before the answer to the request before it. */
  #next: Buffer | undefined;
  /** Others have the connection. */
  #hasLeft = false;
  /** Since when it is in this state, as the first look that saw it so; 0 before. */
  #sinceMs = 0;

  constructor(socket: Socket, serving: DirectServing) {
    this.socket = socket;
    this.#serving = serving;
    this.keepAliveSeconds = Math.floor(serving.keepAliveTimeout / 1000);
    socket.on("data", this.#onData).on("end", this.#onEnd).on("close", this.#onClose);
    socket.on("drain", this.#onDrain).on("error", ignore);
    readIntoOnePiece(socket, this.#onBytes);
  }

  get isEnding(): boolean {
    return this.#serving.isEnding();
  }

  /** Between two requests. */
  get isIdle(): boolean {
    return this.#isUsed && this.#exchange === undefined;
  }

  /** Nothing has come yet. */
  get isUnused(): boolean {
    return !this.#isUsed;
  }

  /** Takes its own listeners off. */
  leave(): void {
    const { socket } = this;
    this.#hasLeft = true;
    socket.off("data", this.#onData).off("end", this.#onEnd).off("close", this.#onClose);
    socket.off("drain", this.#onDrain).off("error", ignore);
  }

  /** Ends what takes too long. To be called at intervals. */
  check(nowMs: number): void {
    if (this.#sinceMs === 0) this.#sinceMs = nowMs;
    const { headersTimeout, requestTimeout, keepAliveTimeout, unreadBodyTimeout } = this.#serving;
    const tookMs = nowMs - this.#sinceMs;
    if (this.#exchange !== undefined) {
      const { request, response } = this.#exchange;
      const bodyTimeout = response.isClosed ? unreadBodyTimeout : requestTimeout;
      if (!request.complete && tookMs >= bodyTimeout) this.#refuse("ERR_HTTP_REQUEST_TIMEOUT");
    } else if (!this.#isUsed) {
      if (tookMs >= headersTimeout) this.#refuse("ERR_HTTP_REQUEST_TIMEOUT");
    } else if (tookMs >= keepAliveTimeout + KEEP_ALIVE_BUFFER_MS) this.socket.destroy();
  }

  /** What comes once others have the connection is theirs, and comes to them as Node would bring it. */
  readonly #onBytes = (bytes: Buffer): boolean => {
    if (this.#hasLeft) return this.socket.push(bytes);
    this.#onData(bytes);
    return true;
  };

  readonly #onData = (bytes: Buffer): void => {
    const exchange = this.#exchange;
    if (exchange === undefined) return this.#begin(bytes);
    const more = exchange.request.complete ? bytes : exchange.request.receive(bytes);
    if (more !== undefined) this.#keep(more);
    if (exchange.request.complete && exchange.response.isClosed) this.#over(exchange);
  };

  #begin(bytes: Buffer): void {
    const head = this.#heads.read(bytes);
    const answer = head === undefined ? undefined : this.#serving.answererOf(head.url);
    if (head === undefined || answer === undefined || bytes.length > head.bodyStart + head.contentLength) {
      return this.#serving.handOver(this, bytes);
    }
    this.#isUsed = true;
    this.#sinceMs = 0;
    const exchange = { request: new DirectRequest(head, this.socket), response: new DirectResponse(this) };
    this.#exchange = exchange;
    exchange.request.receive(bytes.subarray(head.bodyStart));
    answer(exchange.request, exchange.response);
  }

  /** Keeps what comes before the answer has left, and reads no further. */
  #keep(bytes: Buffer): void {
    this.socket.pause();
    this.#next = this.#next === undefined ? bytes : Buffer.concat([this.#next, bytes]);
  }

  readonly sent = (error?: Error | null): void => {
    const exchange = this.#exchange;
    // A connection that fails closes, which is told then.
    if (exchange === undefined || (error !== undefined && error !== null)) return;
    exchange.response.close();
    if (exchange.response.isLast) return this.socket.destroySoon();
    if (exchange.request.complete) return this.#over(exchange);
    this.#sinceMs = 0;
    exchange.request.resume();
  };

  /** The answer has left and the body has come. */
  #over(exchange: Exchange): void {
    if (this.#exchange !== exchange) return;
    this.#exchange = undefined;
    this.#sinceMs = 0;
    const next = this.#next;
    if (next !== undefined) this.#serving.handOver(this, next);
    else if (this.isEnding) this.#serving.answered(this);
  }

  readonly #onEnd = (): void => {
    const exchange = this.#exchange;
    if (exchange === undefined) this.socket.end();
    else if (!exchange.request.complete) this.#refuse("HPE_INVALID_EOF_STATE");
    else exchange.response.isLast = true;
  };

  #refuse(code: Refusal): void {
    // Nothing of an error may stand in the middle of an answer.
    if (this.#exchange?.response.headersSent === true) this.socket.destroy();
    else this.#serving.refuse(this.socket, code);
  }

  readonly #onDrain = (): void => this.#exchange?.response.drained();

  readonly #onClose = (): void => {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    this.#serving.left(this);
    if (exchange === undefined) return;
    exchange.response.close();
    exchange.request.close();
  };
}

function ignore(): void {
  // A connection that fails closes, which is told then.
}
