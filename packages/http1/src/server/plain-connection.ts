import type { Socket } from "node:net";
import type { CallerRequest, CallerResponse } from "./caller-exchange.ts";
import { HeadReader } from "./head-reader.ts";
import { PlainRequest } from "./plain-request.ts";
import { PlainResponse, type ResponseConnection } from "./plain-response.ts";
import { readIntoBuffer } from "./read-into-buffer.ts";

export interface ConnectionTimeouts {
  /** Until the first request arrives. */
  readonly headersTimeout: number;
  /** From a request's head to the end of its body. */
  readonly requestTimeout: number;
  /** Idle between two requests. */
  readonly keepAliveTimeout: number;
  /** From a response to the end of a body that it did not wait for. */
  readonly unreadBodyTimeout: number;
}

/** Node's error code of an incomplete request: the connection ended, or a timeout. */
export type RefusalCode = "HPE_INVALID_EOF_STATE" | "ERR_HTTP_REQUEST_TIMEOUT";

export type RequestHandler = (request: CallerRequest, response: CallerResponse) => void;

export interface ConnectionServer extends ConnectionTimeouts {
  handlerOf(url: string): RequestHandler | undefined;
  handOver(connection: PlainConnection, bytes: Buffer): void;
  /** Answers an incomplete request and closes the connection. */
  refuse(socket: Socket, code: RefusalCode): void;
  closed(connection: PlainConnection): void;
  isEnding(): boolean;
  /** Called for a response that left its connection open although responses close theirs by now. */
  becameIdle(connection: PlainConnection): void;
}

/** Node adds it as well, so that a request which a caller sends at the last moment is still served. */
const KEEP_ALIVE_BUFFER_MS = 1_000;

interface Exchange {
  readonly request: PlainRequest;
  readonly response: PlainResponse;
}

/**
 * A caller's connection, of which plain requests are read from the socket.
 *
 * | state | event | next |
 * |---|---|---|
 * | unused, idle | plain request | busy |
 * | unused, idle | any other bytes | handed over (final) |
 * | busy | response sent, body received | idle |
 * | busy | bytes of a next request | reading paused; handed over after the response |
 * | any | timeout, abort, shutdown | closed |
 */
export class PlainConnection implements ResponseConnection {
  readonly socket: Socket;
  readonly keepAliveSeconds: number;
  readonly #server: ConnectionServer;
  readonly #heads = new HeadReader();
  #exchange: Exchange | undefined;
  #isUsed = false;
  /** Bytes of a next request that arrived before the response. */
  #early: Buffer | undefined;
  #isHandedOver = false;
  /** Time of the first `check` that saw the current state; 0 before. */
  #sinceMs = 0;

  constructor(socket: Socket, server: ConnectionServer) {
    this.socket = socket;
    this.#server = server;
    this.keepAliveSeconds = Math.floor(server.keepAliveTimeout / 1000);
    socket.on("data", this.#onData).on("end", this.#onEnd).on("close", this.#onClose);
    socket.on("drain", this.#onDrain).on("error", ignore);
    readIntoBuffer(socket, this.#onBytes);
  }

  get isEnding(): boolean {
    return this.#server.isEnding();
  }

  get isIdle(): boolean {
    return this.#isUsed && this.#exchange === undefined;
  }

  get isUnused(): boolean {
    return !this.#isUsed;
  }

  detach(): void {
    const { socket } = this;
    this.#isHandedOver = true;
    socket.off("data", this.#onData).off("end", this.#onEnd).off("close", this.#onClose);
    socket.off("drain", this.#onDrain).off("error", ignore);
  }

  /** Enforces the time limits. To be called at intervals, which the limits may be exceeded by. */
  check(nowMs: number): void {
    if (this.#sinceMs === 0) this.#sinceMs = nowMs;
    const { headersTimeout, requestTimeout, keepAliveTimeout, unreadBodyTimeout } = this.#server;
    const elapsedMs = nowMs - this.#sinceMs;
    if (this.#exchange !== undefined) {
      const { request, response } = this.#exchange;
      const bodyTimeout = response.isClosed ? unreadBodyTimeout : requestTimeout;
      if (!request.complete && elapsedMs >= bodyTimeout) this.#refuse("ERR_HTTP_REQUEST_TIMEOUT");
    } else if (!this.#isUsed) {
      if (elapsedMs >= headersTimeout) this.#refuse("ERR_HTTP_REQUEST_TIMEOUT");
    } else if (elapsedMs >= keepAliveTimeout + KEEP_ALIVE_BUFFER_MS) this.socket.destroy();
  }

  /** A read into the shared buffer. After the handover Node gets it as a read of its own. */
  readonly #onBytes = (bytes: Buffer): boolean => {
    if (this.#isHandedOver) return this.socket.push(bytes);
    this.#onData(bytes);
    return true;
  };

  readonly #onData = (bytes: Buffer): void => {
    const exchange = this.#exchange;
    if (exchange === undefined) return this.#begin(bytes);
    const more = exchange.request.complete ? bytes : exchange.request.receive(bytes);
    if (more !== undefined) this.#storeEarly(more);
    if (exchange.request.complete && exchange.response.isClosed) this.#finish(exchange);
  };

  #begin(bytes: Buffer): void {
    const head = this.#heads.read(bytes);
    const handler = head === undefined ? undefined : this.#server.handlerOf(head.url);
    if (head === undefined || handler === undefined || bytes.length > head.bodyStart + head.contentLength) {
      return this.#server.handOver(this, bytes);
    }
    this.#isUsed = true;
    this.#sinceMs = 0;
    const exchange = { request: new PlainRequest(head, this.socket), response: new PlainResponse(this) };
    this.#exchange = exchange;
    exchange.request.receive(bytes.subarray(head.bodyStart));
    handler(exchange.request, exchange.response);
  }

  #storeEarly(bytes: Buffer): void {
    this.socket.pause();
    this.#early = this.#early === undefined ? bytes : Buffer.concat([this.#early, bytes]);
  }

  readonly sent = (error?: Error | null): void => {
    const exchange = this.#exchange;
    // A connection that fails also closes.
    if (exchange === undefined || (error !== undefined && error !== null)) return;
    exchange.response.close();
    if (exchange.response.isLast) return this.socket.destroySoon();
    if (exchange.request.complete) return this.#finish(exchange);
    this.#sinceMs = 0;
    exchange.request.resume();
  };

  #finish(exchange: Exchange): void {
    if (this.#exchange !== exchange) return;
    this.#exchange = undefined;
    this.#sinceMs = 0;
    const early = this.#early;
    if (early !== undefined) this.#server.handOver(this, early);
    else if (this.isEnding) this.#server.becameIdle(this);
  }

  readonly #onEnd = (): void => {
    const exchange = this.#exchange;
    if (exchange === undefined) this.socket.end();
    else if (!exchange.request.complete) this.#refuse("HPE_INVALID_EOF_STATE");
    else exchange.response.isLast = true;
  };

  #refuse(code: RefusalCode): void {
    // An error must not appear inside a response.
    if (this.#exchange?.response.headersSent === true) this.socket.destroy();
    else this.#server.refuse(this.socket, code);
  }

  readonly #onDrain = (): void => this.#exchange?.response.drained();

  readonly #onClose = (): void => {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    this.#server.closed(this);
    if (exchange === undefined) return;
    exchange.response.close();
    exchange.request.close();
  };
}

function ignore(): void {
  // "close" follows.
}
