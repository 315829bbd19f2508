import { errors } from "undici";
import { HEAD_END } from "../grammar/field-syntax.ts";
import { ChunkedBody } from "./chunked-body.ts";
import { MalformedResponseError } from "./malformed-response-error.ts";
import { type HeadMemory, parseResponseHead, type ResponseHead } from "./response-head.ts";

export interface ResponseSink {
  readonly isStopped: boolean;
  head(head: ResponseHead): void;
  body(bytes: Buffer): void;
  end(): void;
}

/** All heads of a response together, interim ones included, in bytes. */
const MAX_HEAD_BYTES = 64 * 1024;
const LINE_END_BYTES = 2;
const EMPTY = Buffer.alloc(0);
const HEAD_START = "HTTP/1.";
const BARE_LINE_END = /[^\r]\n/;

/**
 * `head` leads to the state of the body's framing, or to itself after an interim response; `ending`: all bytes are read, the sink has not received
 * `end`. `over` is also the first state.
 */
type State = "head" | "length" | "chunks" | "connection" | "ending" | "over";

/** Parses the responses of one connection, from reads of any size. Connections to one server share `memory`. */
export class ResponseParser {
  #state: State = "over";
  #sink: ResponseSink | undefined;
  #headBytes = 0;
  #partialHead: Buffer = EMPTY;
  #missingBytes = 0;
  #chunks: ChunkedBody | undefined;
  #keepAliveMs: number | undefined = 0;
  readonly #memory: HeadMemory;

  constructor(memory: HeadMemory) {
    this.#memory = memory;
  }

  get isOver(): boolean {
    return this.#state === "over";
  }

  get keepAliveMs(): number | undefined {
    return this.#keepAliveMs;
  }

  expect(sink: ResponseSink): void {
    this.#sink = sink;
    this.#state = "head";
    this.#headBytes = 0;
    this.#keepAliveMs = 0;
  }

  /**
   * Parses and returns the number of consumed bytes: fewer than all if the response ended or the sink stopped. Throws MalformedResponseError or
   * HeadersOverflowError.
   */
  push(bytes: Buffer): number {
    const sink = this.#sink;
    if (sink === undefined) return 0;
    let at = 0;
    while ((at < bytes.length || this.#state === "ending") && !sink.isStopped && this.#state !== "over") {
      at = this.#step(sink, bytes, at);
    }
    return at;
  }

  /** Reports the connection's end. Returns true if it completes the response, false if that is cut off. */
  finish(): boolean {
    if (this.#state !== "connection" || this.#sink === undefined) return false;
    this.#end(this.#sink);
    return true;
  }

  #step(sink: ResponseSink, bytes: Buffer, at: number): number {
    switch (this.#state) {
      case "head":
        return this.#readHead(sink, bytes, at);
      case "length":
        return this.#readLength(sink, bytes, at);
      case "chunks":
        return this.#readChunks(sink, bytes, at);
      case "connection":
        sink.body(at === 0 ? bytes : bytes.subarray(at));
        return bytes.length;
      case "ending":
        this.#end(sink);
        return at;
      case "over":
        return at;
    }
  }

  #readHead(sink: ResponseSink, bytes: Buffer, from: number): number {
    if (this.#partialHead.length > 0) return this.#continueHead(sink, bytes, from);
    const end = bytes.indexOf(HEAD_END, from);
    const length = (end === -1 ? bytes.length : end) - from;
    if (length + this.#headBytes > MAX_HEAD_BYTES) throw new errors.HeadersOverflowError();
    if (end === -1) {
      this.#partialHead = Buffer.from(bytes.subarray(from));
      this.#checkPartialHead(0);
      return bytes.length;
    }
    this.#takeHead(sink, bytes.toString("latin1", from, end + LINE_END_BYTES));
    return end + HEAD_END.length;
  }

  #continueHead(sink: ResponseSink, bytes: Buffer, from: number): number {
    const before = this.#partialHead.length;
    const room = MAX_HEAD_BYTES + HEAD_END.length - this.#headBytes - before;
    this.#partialHead = Buffer.concat([this.#partialHead, bytes.subarray(from, from + Math.max(room, 0))]);
    const end = this.#partialHead.indexOf(HEAD_END, Math.max(before - HEAD_END.length + 1, 0));
    if (end === -1) {
      if (bytes.length - from >= room) throw new errors.HeadersOverflowError();
      this.#checkPartialHead(before);
      return bytes.length;
    }
    const text = this.#partialHead.toString("latin1", 0, end + LINE_END_BYTES);
    this.#partialHead = EMPTY;
    this.#takeHead(sink, text);
    return from + end + HEAD_END.length - before;
  }

  /** Fails at once, instead of waiting for the end of a head from a server of another protocol. */
  #checkPartialHead(from: number): void {
    const isOther = !HEAD_START.startsWith(this.#partialHead.toString("latin1", 0, HEAD_START.length));
    if (isOther || BARE_LINE_END.test(this.#partialHead.toString("latin1", Math.max(from - 1, 0)))) {
      throw new MalformedResponseError("The response does not begin with a head of HTTP/1.1.");
    }
  }

  #takeHead(sink: ResponseSink, text: string): void {
    const head = parseResponseHead(text, this.#memory);
    this.#headBytes += text.length;
    if (head.status === 101) throw new MalformedResponseError("The server switches protocols without a request.");
    if (head.status < 200) {
      sink.head(head);
      return;
    }
    this.#keepAliveMs = head.keepAliveMs;
    if (head.bodyEnd === "chunks") {
      this.#chunks = new ChunkedBody();
      this.#state = "chunks";
    } else if (head.bodyEnd === "connection") {
      this.#state = "connection";
    } else {
      this.#missingBytes = head.bodyEnd;
      this.#state = this.#missingBytes === 0 ? "ending" : "length";
    }
    sink.head(head);
  }

  #readLength(sink: ResponseSink, bytes: Buffer, at: number): number {
    const end = Math.min(at + this.#missingBytes, bytes.length);
    this.#missingBytes -= end - at;
    if (this.#missingBytes === 0) this.#state = "ending";
    sink.body(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end));
    return end;
  }

  #readChunks(sink: ResponseSink, bytes: Buffer, at: number): number {
    const chunks = this.#chunks;
    if (chunks === undefined) return at;
    const end = chunks.decode(bytes, at);
    if (chunks.isOver) this.#state = "ending";
    if (chunks.dataEnd > chunks.dataStart) sink.body(bytes.subarray(chunks.dataStart, chunks.dataEnd));
    return end;
  }

  #end(sink: ResponseSink): void {
    this.#state = "over";
    this.#sink = undefined;
    this.#chunks = undefined;
    sink.end();
  }
}
