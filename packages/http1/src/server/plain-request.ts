import { EventEmitter } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import type { CallerRequest } from "./caller-exchange.ts";
import { type PlainHead, rawHeadersOf } from "./head-reader.ts";

/** More unread bytes of a body pause the connection. */
const MAX_UNREAD_BYTES = 64 * 1024;

const EMPTY = Buffer.alloc(0);

/** A request that was read from its socket. Most arrive whole, so the emitter is created only for listeners. */
export class PlainRequest implements CallerRequest {
  readonly method = "POST";
  readonly httpVersion = "1.1";
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly socket: Socket;
  readonly #head: string;
  #missingBytes: number;
  readonly #unread: Buffer[] = [];
  #unreadBytes = 0;
  #isFlowing = false;
  #events: EventEmitter | undefined;

  constructor(head: PlainHead, socket: Socket) {
    this.url = head.url;
    this.headers = head.headers;
    this.#head = head.text;
    this.socket = socket;
    this.#missingBytes = head.contentLength;
  }

  on(event: "data", listener: (chunk: Buffer) => void): this {
    this.#events ??= new EventEmitter();
    this.#events.on(event, listener);
    return this;
  }

  once(event: "end" | "close", listener: () => void): this {
    this.#events ??= new EventEmitter();
    this.#events.once(event, listener);
    return this;
  }

  get rawHeaders(): readonly string[] {
    return rawHeadersOf(this.#head);
  }

  get complete(): boolean {
    return this.#missingBytes === 0;
  }

  /** Receives bytes from the connection. Returns those behind the body, undefined if there are none. */
  receive(bytes: Buffer): Buffer | undefined {
    const hasMore = bytes.length > this.#missingBytes;
    const chunk = hasMore ? bytes.subarray(0, this.#missingBytes) : bytes;
    this.#missingBytes -= chunk.length;
    if (this.#isFlowing) this.#emit(chunk);
    else this.#store(chunk);
    return hasMore ? bytes.subarray(chunk.length) : undefined;
  }

  close(): void {
    this.#events?.emit("close");
  }

  takeWhole(): Buffer | undefined {
    const [only] = this.#unread;
    if (!this.complete || this.#isFlowing || this.#unread.length > 1) return undefined;
    this.#isFlowing = true;
    this.#unread.length = 0;
    return only ?? EMPTY;
  }

  resume(): this {
    if (this.#isFlowing) return this;
    this.#isFlowing = true;
    for (let chunk = this.#unread.shift(); chunk !== undefined; chunk = this.#unread.shift()) {
      this.#unreadBytes -= chunk.length;
      this.#events?.emit("data", chunk);
      if (!this.#isFlowing) return this;
    }
    if (this.complete) this.#events?.emit("end");
    else if (this.socket.isPaused()) this.socket.resume();
    return this;
  }

  pause(): this {
    this.#isFlowing = false;
    if (!this.complete) this.socket.pause();
    return this;
  }

  #emit(chunk: Buffer): void {
    this.#events?.emit("data", chunk);
    if (this.complete && this.#isFlowing) this.#events?.emit("end");
  }

  #store(chunk: Buffer): void {
    if (chunk.length > 0) this.#unread.push(chunk);
    this.#unreadBytes += chunk.length;
    if (this.#unreadBytes > MAX_UNREAD_BYTES && !this.complete) this.socket.pause();
  }
}
