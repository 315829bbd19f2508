import { errors } from "undici";
import { ChunkedBody } from "./chunked-body.ts";
import { MalformedResponseError } from "./malformed-response-error.ts";
import { type HeadMemory, parseResponseHead, type ResponseHead } from "./response-head.ts";

/** Who hears what a response says, in its order. */
export interface ResponseSink {
  /** It takes nothing at the moment. */
  readonly isStopped: boolean;
  head(head: ResponseHead): void;
  body(bytes: Buffer): void;
  end(): void;
}

/** All of a response's heads together, those before the final one too, in bytes. */
const MOST_HEAD_BYTES = 64 * 1024;
const HEAD_END = Buffer.from("\r\n\r\n");
const LINE_END_BYTES = 2;
const NOTHING = Buffer.alloc(0);
const HEAD_START = "HTTP/1.";
const BARE_LINE_END = /[^\r]\n/;

type State = "head" | "length" | "chunks" | "connection" | "ending" | "over";

/** Reads the responses of one connection, one after the other, wherever they were cut. Connections to one server share `memory`. */
export class ResponseParser {
  #state: State = "over";
  #sink: ResponseSink | undefined;
  #headBytes = 0;
  /** A head's bytes that came without its end. */
  #begun: Buffer = NOTHING;
  /** Bytes of the body that are still to come. */
  #left = 0;
  #chunks: ChunkedBody | undefined;
  #keepAliveMs: number | undefined = 0;
  readonly #memory: HeadMemory;

  constructor(memory: HeadMemory) {
    this.#memory = memory;
  }

  /** Everything was said. */
  get isOver(): boolean {
    return this.#state === "over";
  }

  /** How long the server keeps the connection after this response, in ms: 0 not at all, undefined as long as it likes. */
  get keepAliveMs(): number | undefined {
    return this.#keepAliveMs;
  }

  /** Waits for the next response. */
  expect(sink: ResponseSink): void {
    this.#sink = sink;
    this.#state = "head";
    this.#headBytes = 0;
    this.#keepAliveMs = 0;
  }

  /**
   * Reads on and returns how many of the bytes were taken: less than all after the response's end, or where the sink takes nothing more. Throws
   * MalformedResponseError, or HeadersOverflowError.
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

  /** The connection has ended. Returns whether that is the response's end too; it has been told of it then. */
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
    if (this.#begun.length > 0) return this.#goOnWithHead(sink, bytes, from);
    const end = bytes.indexOf(HEAD_END, from);
    const length = (end === -1 ? bytes.length : end) - from;
    if (length + this.#headBytes > MOST_HEAD_BYTES) throw new errors.HeadersOverflowError();
    if (end === -1) {
      this.#begun = Buffer.from(bytes.subarray(from));
      this.#checkBegun(0);
      return bytes.length;
    }
    this.#takeHead(sink, bytes.toString("latin1", from, end + LINE_END_BYTES));
    return end + HEAD_END.length;
  }

  /** The head was cut: what came of it and what comes now are looked at together. */
  #goOnWithHead(sink: ResponseSink, bytes: Buffer, from: number): number {
    const before = this.#begun.length;
    const room = MOST_HEAD_BYTES + HEAD_END.length - this.#headBytes - before;
    this.#begun = Buffer.concat([this.#begun, bytes.subarray(from, from + Math.max(room, 0))]);
    const end = this.#begun.indexOf(HEAD_END, Math.max(before - HEAD_END.length + 1, 0));
    if (end === -1) {
      if (bytes.length - from >= room) throw new errors.HeadersOverflowError();
      this.#checkBegun(before);
      return bytes.length;
    }
    const text = this.#begun.toString("latin1", 0, end + LINE_END_BYTES);
    this.#begun = NOTHING;
    this.#takeHead(sink, text);
    return from + end + HEAD_END.length - before;
  }

  /** Whoever speaks something else is not waited for. */
  #checkBegun(from: number): void {
    const isOther = !HEAD_START.startsWith(this.#begun.toString("latin1", 0, HEAD_START.length));
    if (isOther || BARE_LINE_END.test(this.#begun.toString("latin1", Math.max(from - 1, 0)))) {
      throw new MalformedResponseError("What came is no head of HTTP/1.1.");
    }
  }

  #takeHead(sink: ResponseSink, text: string): void {
    const head = parseResponseHead(text, this.#memory);
    this.#headBytes += text.length;
    if (head.status === 101)
      throw new MalformedResponseError("The server changes to a protocol that nobody asked for.");
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
      this.#left = head.bodyEnd;
      this.#state = this.#left === 0 ? "ending" : "length";
    }
    sink.head(head);
  }

  #readLength(sink: ResponseSink, bytes: Buffer, at: number): number {
    const end = Math.min(at + this.#left, bytes.length);
    this.#left -= end - at;
    if (this.#left === 0) this.#state = "ending";
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
