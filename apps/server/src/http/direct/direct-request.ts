import { EventEmitter } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import type { CallerRequest } from "../../platform/requests/caller-exchange.ts";
import { type PlainHead, rawHeadersOf } from "./read-head.ts";

/** So many bytes of a body wait for somebody who reads them before the connection is read no further. */
const MOST_HELD_BYTES = 64 * 1024;

const NOTHING = Buffer.alloc(0);

/** A request that was read straight from its connection. Most have come whole, and nobody listens to them. */
export class DirectRequest implements CallerRequest {
  readonly method = "POST";
  readonly httpVersion = "1.1";
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly socket: Socket;
  readonly #head: string;
  #leftBytes: number;
  readonly #held: Buffer[] = [];
  #heldBytes = 0;
  #isFlowing = false;
  #events: EventEmitter | undefined;

  constructor(head: PlainHead, socket: Socket) {
    this.url = head.url;
    this.headers = head.headers;
    this.#head = head.text;
    this.socket = socket;
    this.#leftBytes = head.contentLength;
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
    return this.#leftBytes === 0;
  }

  /** Takes a piece of the body and returns what of the bytes comes after it; undefined without. */
  receive(bytes: Buffer): Buffer | undefined {
    const isMore = bytes.length > this.#leftBytes;
    const piece = isMore ? bytes.subarray(0, this.#leftBytes) : bytes;
    this.#leftBytes -= piece.length;
    if (this.#isFlowing) this.#pass(piece);
    else this.#hold(piece);
    return isMore ? bytes.subarray(piece.length) : undefined;
  }

  /** Nothing more of it comes. */
  close(): void {
    this.#events?.emit("close");
  }

  takeWhole(): Buffer | undefined {
    const [only] = this.#held;
    if (!this.complete || this.#isFlowing || this.#held.length > 1) return undefined;
    this.#isFlowing = true;
    this.#held.length = 0;
    return only ?? NOTHING;
  }

  resume(): this {
    if (this.#isFlowing) return this;
    this.#isFlowing = true;
    for (let piece = this.#held.shift(); piece !== undefined; piece = this.#held.shift()) {
      this.#heldBytes -= piece.length;
      this.#events?.emit("data", piece);
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

  #pass(piece: Buffer): void {
    this.#events?.emit("data", piece);
    if (this.complete && this.#isFlowing) this.#events?.emit("end");
  }

  #hold(piece: Buffer): void {
    if (piece.length > 0) this.#held.push(piece);
    this.#heldBytes += piece.length;
    if (this.#heldBytes > MOST_HELD_BYTES && !this.complete) this.socket.pause();
  }
}
