import type { Socket } from "node:net";
import { errors } from "undici";
import { type Exchange, toError } from "./exchange.ts";
import { isPooled } from "./pooled-body.ts";
import type { HeadMemory } from "./response-head.ts";
import { ResponseParser } from "./response-parser.ts";
import { SWEEP_MS, type TimeoutSweep } from "./timeout-sweep.ts";

const KEEP_ALIVE_MS = 60_000;
/** Idle connections close this much before the time that the server announces, in ms: a request sent while it closes is lost. */
const KEEP_ALIVE_MARGIN_MS = 1_000;
/** Bytes that a connection reads before others are read. */
const SLICE_BYTES = 64 * 1024;
/** Longest body that is copied behind its head, to leave in one write. */
const MAX_COPIED_BYTES = 16 * 1024;
/** Bytes of a pooled body that are copied, encrypted and sent at once. */
const SEND_BYTES = 256 * 1024;

export interface ConnectionOwner {
  readonly heads: HeadMemory;
  /** Called when a response has ended and the connection can be reused. */
  freed(connection: Connection): void;
  closed(connection: Connection): void;
}

export type ScheduleRead = (read: () => void) => void;

export interface ConnectionContext {
  readonly sweep: TimeoutSweep;
  readonly scheduleRead: ScheduleRead;
}

export class Connection {
  readonly remoteAddress: string;
  readonly #socket: Socket;
  readonly #owner: ConnectionOwner;
  readonly #sweep: TimeoutSweep;
  readonly #scheduleRead: ScheduleRead;
  readonly #parser: ResponseParser;
  #exchange: Exchange | undefined;
  /** Received bytes that a paused exchange has not consumed. */
  #unread: Buffer | undefined;
  /** The server has ended the connection, behind the unread bytes. */
  #hasEnded = false;
  #sliceBytes = 0;
  #isWaitingForSlice = false;
  #isParsing = false;
  #isClosed = false;
  #isSending = false;
  #activeTick: number;
  #sentTick = 0;
  #idleMs = KEEP_ALIVE_MS;

  constructor(socket: Socket, owner: ConnectionOwner, { sweep, scheduleRead }: ConnectionContext) {
    this.#socket = socket;
    this.remoteAddress = socket.remoteAddress ?? "";
    this.#owner = owner;
    this.#parser = new ResponseParser(owner.heads);
    this.#sweep = sweep;
    this.#scheduleRead = scheduleRead;
    this.#activeTick = sweep.tick;
    sweep.add(this);
    socket.on("data", (bytes: Buffer) => this.#read(bytes));
    socket.on("end", () => this.#finish());
    socket.on("error", (error) => this.fail(error));
    socket.on("close", () => this.#onClose());
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The system has all bytes that were written. */
  get hasSent(): boolean {
    return !this.#isSending && this.#socket.writableLength === 0;
  }

  begin(exchange: Exchange): void {
    this.#exchange = exchange;
    this.#activeTick = this.#sentTick = this.#sweep.tick;
    exchange.connection = this;
    this.#parser.expect(exchange);
    const { requestHead: head, requestBody: body } = exchange;
    const socket = this.#socket;
    if (body === undefined) {
      socket.write(head, "latin1");
    } else if (body.length <= MAX_COPIED_BYTES) {
      const bytes = Buffer.allocUnsafe(head.length + body.length);
      bytes.write(head, 0, "latin1");
      body.copy(bytes, head.length);
      socket.write(bytes);
    } else {
      socket.cork();
      socket.write(head, "latin1");
      if (isPooled(body)) this.#sendCopies(exchange, body);
      else socket.write(body);
      socket.uncork();
    }
  }

  /** Sends a pooled body in copies, since the system may still read the memory of a write when the exchange has ended. */
  #sendCopies(exchange: Exchange, body: Buffer): void {
    const { length } = body;
    const copy = Buffer.allocUnsafeSlow(SEND_BYTES);
    let sentBytes = 0;
    this.#isSending = true;
    const sendNext = (): void => {
      if (this.#isClosed || this.#exchange !== exchange) return;
      const bytes = copy.subarray(0, body.copy(copy, 0, sentBytes));
      sentBytes += bytes.length;
      this.#isSending = sentBytes < length;
      this.#socket.write(bytes, (error) => {
        if (error) return;
        if (sentBytes < length) setImmediate(sendNext);
        // Frees the memory before the next garbage collection.
        else copy.buffer.transfer(0);
      });
    };
    sendNext();
  }

  /** Stops reading. Further bytes wait in the system and at the server. */
  pause(): void {
    if (!this.#isParsing) this.#socket.pause();
  }

  resume(): void {
    this.#activeTick = this.#sweep.tick;
    if (this.#isParsing || this.#isClosed) return;
    const unread = this.#unread;
    this.#unread = undefined;
    if (unread !== undefined) this.#parse(unread);
    if (this.#unread !== undefined || this.#isClosed) return;
    if (this.#hasEnded) this.#finish();
    else if (!this.#isWaitingForSlice) this.#socket.resume();
  }

  /** Closes the connection at once, without an event for its exchange. */
  destroy(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#exchange = undefined;
    this.#sweep.delete(this);
    this.#owner.closed(this);
    this.#socket.destroy();
  }

  check(tick: number): void {
    const idleMs = elapsedMs(this.#activeTick, tick);
    const exchange = this.#exchange;
    if (exchange === undefined) {
      if (idleMs >= this.#idleMs) this.destroy();
    } else if (exchange.hasHead) {
      const { bodyTimeoutMs, paused } = exchange;
      if (!paused && bodyTimeoutMs > 0 && idleMs >= bodyTimeoutMs) exchange.fail(new errors.BodyTimeoutError());
    } else if (exchange.headersTimeoutMs > 0 && elapsedMs(this.#sentTick, tick) >= exchange.headersTimeoutMs) {
      // Incomplete heads and interim responses do not extend the time: another channel may be tried.
      exchange.fail(new errors.HeadersTimeoutError());
    }
  }

  #read(bytes: Buffer): void {
    if (this.#isClosed) return;
    this.#activeTick = this.#sweep.tick;
    // Bytes without a request must not be read as the response to the next one.
    if (this.#exchange === undefined) return this.destroy();
    this.#sliceBytes += bytes.length;
    // TLS emits all records that it decrypted together, even after a pause. Copied, since the handler may free the memory it received.
    if (this.#unread !== undefined) this.#unread = Buffer.concat([this.#unread, bytes]);
    else this.#parse(bytes);
    if (this.#sliceBytes >= SLICE_BYTES && this.#unread === undefined && !this.#isClosed) this.#yield();
  }

  /** libuv reads a fast connection up to 32 times in a row. With hundreds of them, new callers would wait for seconds. */
  #yield(): void {
    this.#sliceBytes = 0;
    this.#isWaitingForSlice = true;
    this.#socket.pause();
    this.#scheduleRead(() => {
      this.#isWaitingForSlice = false;
      if (!this.#isClosed && this.#exchange?.paused !== true) this.#socket.resume();
    });
  }

  /** Passes bytes to the exchange. Bytes that it does not consume are stored, and reading pauses. */
  #parse(bytes: Buffer): void {
    const exchange = this.#exchange;
    if (exchange === undefined) return;
    this.#isParsing = true;
    let consumed: number;
    try {
      consumed = this.#parser.push(bytes);
    } catch (error) {
      exchange.fail(toError(error));
      return this.destroy();
    } finally {
      this.#isParsing = false;
    }
    if (this.#parser.isOver) return this.#responded(exchange, consumed < bytes.length);
    if (this.#isClosed || !exchange.paused) return;
    this.#unread = consumed === 0 ? bytes : bytes.subarray(consumed);
    this.#socket.pause();
  }

  /**
   * Reuses the connection, or closes it after surplus bytes and after the refusal of a request with a body: the server
   * may respond again once it has read the body.
   */
  #responded({ requestBody, isRefused }: Exchange, hasSurplus: boolean): void {
    this.#exchange = undefined;
    const { keepAliveMs } = this.#parser;
    this.#idleMs = Math.min(KEEP_ALIVE_MS, (keepAliveMs ?? Number.POSITIVE_INFINITY) - KEEP_ALIVE_MARGIN_MS);
    const mayRespondAgain = isRefused && requestBody !== undefined;
    if (hasSurplus || !this.hasSent || mayRespondAgain || this.#idleMs <= 0) this.destroy();
    else if (!this.#isClosed) this.#owner.freed(this);
  }

  #finish(): void {
    if (this.#isClosed) return;
    if (this.#unread !== undefined) {
      this.#hasEnded = true;
      return;
    }
    if (this.#exchange !== undefined && this.#parser.finish()) this.destroy();
    else this.fail(new errors.SocketError("other side closed"));
  }

  #onClose(): void {
    if (!this.#hasEnded || this.#unread === undefined) this.fail(new errors.SocketError("closed"));
  }

  fail(error: Error): void {
    if (this.#isClosed) return;
    this.#exchange?.fail(error);
    this.destroy();
  }
}

/** Lower bound of the time between two ticks, in ms. */
function elapsedMs(tick: number, now: number): number {
  return (now - tick - 1) * SWEEP_MS;
}
