import { type OutgoingHttpHeaders, STATUS_CODES, validateHeaderName, validateHeaderValue } from "node:http";
import type { Socket } from "node:net";
import type { CallerResponse } from "./caller-exchange.ts";

/** Longest chunk that is copied between its frame, to leave in one write; a longer one is corked. */
const MAX_COPIED_BYTES = 16 * 1024;

export interface ResponseConnection {
  readonly socket: Socket;
  /** Idle time that the response announces, in whole seconds. */
  readonly keepAliveSeconds: number;
  readonly isEnding: boolean;
  /** Called when the system has all bytes of the response, or with the connection's error. */
  readonly sent: (error?: Error | null) => void;
}

type Listener = () => void;

function both(first: Listener | undefined, second: Listener): Listener {
  if (first === undefined) return second;
  return () => {
    first();
    second();
  };
}

/** A response that is written to its socket, with the bytes of Node's HTTP server. No `EventEmitter`, which costs a kilobyte a response. */
export class PlainResponse implements CallerResponse {
  headersSent = false;
  destroyed = false;
  writableEnded = false;
  /** The response was sent, or the connection has closed. */
  isClosed = false;
  isLast = false;
  readonly #connection: ResponseConnection;
  readonly #socket: Socket;
  /** The head, until it leaves with the first chunk. */
  #head = "";
  #isChunked = false;
  #onDrain: Listener | undefined;
  #onClose: Listener | undefined;

  constructor(connection: ResponseConnection) {
    this.#connection = connection;
    this.#socket = connection.socket;
  }

  once(event: "drain" | "close", listener: Listener): this {
    if (event === "close") this.#onClose = both(this.#onClose, listener);
    else this.#onDrain = both(this.#onDrain, listener);
    return this;
  }

  get writableLength(): number {
    return this.destroyed ? 0 : this.#socket.writableLength;
  }

  /** Throws the errors of Node's `writeHead` for names and values that a header cannot have. */
  writeHead(status: number, headers: OutgoingHttpHeaders): void {
    const fields = writeFields(headers);
    const { keepAliveSeconds, isEnding } = this.#connection;
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "unknown"}\r\n${fields.text}Date: ${dateNow()}\r\n`;
    if (fields.closes ?? isEnding) this.isLast = true;
    if (fields.closes === undefined) {
      head += isEnding
        ? "Connection: close\r\n"
        : `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n`;
    }
    this.#isChunked = !fields.hasLength;
    this.#head = `${head}${this.#isChunked ? "Transfer-Encoding: chunked\r\n" : ""}\r\n`;
    this.headersSent = true;
  }

  write(chunk: Buffer | string): boolean {
    if (this.destroyed || this.writableEnded) return false;
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    return bytes.length === 0 ? this.#socket.write(this.#takeHead(), "latin1") : this.#writeChunk(bytes, "");
  }

  end(chunk: Buffer | string = "", encoding: "latin1" | "utf8" = "utf8"): void {
    if (this.destroyed || this.writableEnded) return;
    this.writableEnded = true;
    const tail = this.#isChunked ? "0\r\n\r\n" : "";
    if (chunk.length === 0) this.#socket.write(this.#takeHead() + tail, "latin1");
    else if (encoding === "latin1" && typeof chunk === "string" && !this.#isChunked) {
      this.#socket.write(this.#takeHead() + chunk, "latin1");
    } else this.#writeChunk(typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk, tail);
    this.#reportSent();
  }

  /** The system nearly always has all bytes by now; a callback of `write` costs a tick a response. */
  #reportSent(): void {
    const { sent } = this.#connection;
    if (this.#socket.writableLength === 0 && this.#socket.writable) callSoon(sent);
    else this.#socket.write("", sent);
  }

  writeProcessing(): void {
    if (!this.destroyed) this.#socket.write("HTTP/1.1 102 Processing\r\n\r\n", "latin1");
  }

  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.#socket.destroy();
  }

  drained(): void {
    if (this.writableEnded) return;
    const onDrain = this.#onDrain;
    this.#onDrain = undefined;
    onDrain?.();
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.destroyed = true;
    this.#onClose?.();
  }

  #takeHead(): string {
    const head = this.#head;
    this.#head = "";
    return head;
  }

  #writeChunk(chunk: Buffer, tail: string): boolean {
    const before = this.#takeHead() + (this.#isChunked ? `${chunk.length.toString(16)}\r\n` : "");
    const after = (this.#isChunked ? "\r\n" : "") + tail;
    if (before === "" && after === "") return this.#socket.write(chunk);
    if (chunk.length > MAX_COPIED_BYTES) return this.#writeCorked(before, chunk, after);
    const all = Buffer.allocUnsafe(before.length + chunk.length + after.length);
    all.write(before, "latin1");
    chunk.copy(all, before.length);
    all.write(after, before.length + chunk.length, "latin1");
    return this.#socket.write(all);
  }

  #writeCorked(before: string, chunk: Buffer, after: string): boolean {
    this.#socket.cork();
    this.#socket.write(before, "latin1");
    this.#socket.write(chunk);
    const hasRoom = this.#socket.write(after, "latin1");
    this.#socket.uncork();
    return hasRoom;
  }
}

let pending: (() => void)[] = [];

/** Calls after the current callback, once for all responses of a tick. */
function callSoon(sent: () => void): void {
  if (pending.push(sent) === 1) process.nextTick(callAll);
}

/** An error of one callback does not keep the others from running. */
function callAll(): void {
  const all = pending;
  pending = [];
  for (const sent of all) {
    try {
      sent();
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}

/** Returns the lines of headers and their framing. `closes` is undefined without a `connection` header. */
function writeFields(headers: OutgoingHttpHeaders): { text: string; hasLength: boolean; closes: boolean | undefined } {
  let text = "";
  let hasLength = false;
  let closes: boolean | undefined;
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    if (!Array.isArray(value)) text += lineOf(name, value);
    else for (const each of value) text += lineOf(name, each);
    if (name === "content-length") hasLength = true;
    else if (name === "connection") closes = value === "close";
  }
  return { text, hasLength, closes };
}

interface CachedLine {
  value: string | number;
  line: string;
}

/** The last line of each name: most values repeat, and validating them costs more than all else here. */
const cachedLines = new Map<string, CachedLine>();
/** Names come from the gateway, except in responses that pass through. */
const MAX_CACHED_LINES = 200;

function lineOf(name: string, value: string | number): string {
  const cached = cachedLines.get(name);
  if (cached?.value === value) return cached.line;
  if (cached === undefined) validateHeaderName(name);
  validateHeaderValue(name, String(value));
  const line = `${name}: ${value}\r\n`;
  if (cached !== undefined) [cached.value, cached.line] = [value, line];
  else {
    if (cachedLines.size >= MAX_CACHED_LINES) cachedLines.clear();
    cachedLines.set(name, { value, line });
  }
  return line;
}

let date = { second: 0, text: "" };

/** The `Date` header, formatted once a second. */
function dateNow(): string {
  const second = Math.trunc(Date.now() / 1000);
  if (date.second !== second) date = { second, text: new Date(second * 1000).toUTCString() };
  return date.text;
}
