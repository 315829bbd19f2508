import { type OutgoingHttpHeaders, STATUS_CODES, validateHeaderName, validateHeaderValue } from "node:http";
import type { Socket } from "node:net";
import type { CallerResponse } from "../../platform/requests/caller-exchange.ts";

/** Pieces up to this many bytes are copied together with what frames them, so that they leave in one write. */
const COPIED_BYTES = 16 * 1024;

/** What an answer must know of its connection. */
export interface AnswerConnection {
  readonly socket: Socket;
  /** What the caller is told of how long the connection is kept, in whole seconds. */
  readonly keepAliveSeconds: number;
  /** True when no further request is taken after this one. */
  readonly isEnding: boolean;
  /** The connection has taken all of the answer, or fails. */
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

/**
 * An answer that is written straight to its connection: the same bytes as by Node's HTTP server. No EventEmitter: nearly every answer has one listener,
 * and that would be a kilobyte for each.
 */
export class DirectResponse implements CallerResponse {
  headersSent = false;
  destroyed = false;
  writableEnded = false;
  /** The connection is done with it, or gone. */
  isClosed = false;
  /** The connection closes after this answer. */
  isLast = false;
  readonly #connection: AnswerConnection;
  readonly #socket: Socket;
  /** The head, until it leaves with the first piece. */
  #head = "";
  #isChunked = false;
  #onDrain: Listener | undefined;
  #onClose: Listener | undefined;

  constructor(connection: AnswerConnection) {
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

  /** Throws, as Node does, where a name or a value cannot stand in a header. */
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

  write(piece: Buffer | string): boolean {
    if (this.destroyed || this.writableEnded) return false;
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    return bytes.length === 0 ? this.#socket.write(this.#takeHead(), "latin1") : this.#writePiece(bytes, "");
  }

  end(piece: Buffer | string = "", encoding: "latin1" | "utf8" = "utf8"): void {
    if (this.destroyed || this.writableEnded) return;
    this.writableEnded = true;
    const tail = this.#isChunked ? "0\r\n\r\n" : "";
    if (piece.length === 0) this.#socket.write(this.#takeHead() + tail, "latin1");
    else if (encoding === "latin1" && typeof piece === "string" && !this.#isChunked) {
      this.#socket.write(this.#takeHead() + piece, "latin1");
    } else this.#writePiece(typeof piece === "string" ? Buffer.from(piece, encoding) : piece, tail);
    this.#tellWhenSent();
  }

  /** Nearly always the system has taken all of it by now; what Node does to say so costs a tick for every answer. */
  #tellWhenSent(): void {
    const { sent } = this.#connection;
    if (this.#socket.writableLength === 0 && this.#socket.writable) tellSoon(sent);
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

  /** The connection has room again. */
  drained(): void {
    if (this.writableEnded) return;
    const onDrain = this.#onDrain;
    this.#onDrain = undefined;
    onDrain?.();
  }

  /** The connection is done with the answer, or gone. */
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

  /** Writes a piece with its frame, and what of the head and the end is still to leave with it. */
  #writePiece(piece: Buffer, tail: string): boolean {
    const before = this.#takeHead() + (this.#isChunked ? `${piece.length.toString(16)}\r\n` : "");
    const after = (this.#isChunked ? "\r\n" : "") + tail;
    if (before === "" && after === "") return this.#socket.write(piece);
    if (piece.length > COPIED_BYTES) return this.#writeCorked(before, piece, after);
    const all = Buffer.allocUnsafe(before.length + piece.length + after.length);
    all.write(before, "latin1");
    piece.copy(all, before.length);
    all.write(after, before.length + piece.length, "latin1");
    return this.#socket.write(all);
  }

  #writeCorked(before: string, piece: Buffer, after: string): boolean {
    this.#socket.cork();
    this.#socket.write(before, "latin1");
    this.#socket.write(piece);
    const isTaken = this.#socket.write(after, "latin1");
    this.#socket.uncork();
    return isTaken;
  }
}

/** Whose answers the system has taken in this turn. */
let taken: (() => void)[] = [];

/** Tells that an answer was sent, once whoever has written it is done. */
function tellSoon(sent: () => void): void {
  if (taken.push(sent) === 1) process.nextTick(tellAll);
}

/** What one does with it keeps no other from hearing it. */
function tellAll(): void {
  const all = taken;
  taken = [];
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

/** The lines of headers, and what they say of the answer's frame. `closes`: undefined where nothing is said of the connection. */
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

/** A header as it was written last. */
interface WrittenLine {
  value: string | number;
  line: string;
}

/** By name: most values are the same in every answer, and looking at their letters costs more than all else here. */
const lastLines = new Map<string, WrittenLine>();
/** Names are the gateway's own, but for those of answers that pass as they are. */
const MOST_LINES = 200;

function lineOf(name: string, value: string | number): string {
  const last = lastLines.get(name);
  if (last?.value === value) return last.line;
  if (last === undefined) validateHeaderName(name);
  validateHeaderValue(name, String(value));
  const line = `${name}: ${value}\r\n`;
  if (last !== undefined) [last.value, last.line] = [value, line];
  else {
    if (lastLines.size >= MOST_LINES) lastLines.clear();
    lastLines.set(name, { value, line });
  }
  return line;
}

let date = { second: 0, text: "" };

/** Now, as headers write it, made once a second. */
function dateNow(): string {
  const second = Math.trunc(Date.now() / 1000);
  if (date.second !== second) date = { second, text: new Date(second * 1000).toUTCString() };
  return date.text;
}
