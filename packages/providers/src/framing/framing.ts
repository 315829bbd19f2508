import { EventSplitter, EventTooLongError } from "./event-splitter.ts";
import { readServerSentEvent, type ServerSentEvent } from "./server-sent-event.ts";

/** How a stream's bytes become events. */
export interface Framing {
  /** What answers call themselves that are such streams. */
  readonly contentType: RegExp;
  /** Takes one stream apart. */
  splitter(maxEventBytes: number | undefined): StreamSplitter;
  /** What one whole event says. */
  readEvent(event: Buffer): ServerSentEvent;
}

/** Cuts one stream into whole events, however its bytes arrive. Throws EventTooLongError. */
export interface StreamSplitter {
  push(chunk: Buffer): readonly Buffer[];
  /** What came after the last whole event; the stream is over. */
  flush(): Buffer;
}

/** Server-sent events, as nearly all providers write them. */
export const SERVER_SENT_EVENTS: Framing = {
  contentType: /^text\/event-stream\b/i,
  splitter: (maxEventBytes) => new EventSplitter(maxEventBytes),
  readEvent: readServerSentEvent,
};

const MAX_LINE_BYTES = 1024 * 1024;
const LINE_FEED = 0x0a;
const NOTHING = Buffer.alloc(0);

/** One JSON value in each line. Source: https://github.com/ndjson/ndjson-spec */
export const JSON_LINES: Framing = {
  contentType: /^application\/(?:x-ndjson|stream\+json)\b/i,
  splitter: (maxLineBytes = MAX_LINE_BYTES) => new LineSplitter(maxLineBytes),
  readEvent: (line) => ({ name: "", data: line.toString().trim() }),
};

/** One JSON document: the answer as a whole, of providers that have no streams. */
export const WHOLE_DOCUMENT: Framing = {
  contentType: /^application\/json\b/i,
  splitter: (maxBytes = MAX_LINE_BYTES) => new WholeSplitter(maxBytes),
  readEvent: (document) => ({ name: "", data: document.toString() }),
};

/** Holds everything back until the end. */
class WholeSplitter implements StreamSplitter {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): readonly Buffer[] {
    this.#length += chunk.length;
    if (this.#length > this.#maxBytes) throw new EventTooLongError();
    this.#chunks.push(chunk);
    return [];
  }

  flush(): Buffer {
    const document = Buffer.concat(this.#chunks);
    this.#chunks = [];
    return document;
  }
}

class LineSplitter implements StreamSplitter {
  readonly #maxLineBytes: number;
  #rest: Buffer = NOTHING;

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  push(chunk: Buffer): readonly Buffer[] {
    const known = this.#rest.length;
    const bytes = known === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED, known); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      // Empty lines say that the provider is still there.
      lines.push(bytes.subarray(start, end + 1));
      start = end + 1;
    }
    this.#rest = start === bytes.length ? NOTHING : bytes.subarray(start);
    if (this.#rest.length > this.#maxLineBytes) throw new EventTooLongError();
    return lines;
  }

  flush(): Buffer {
    const rest = this.#rest;
    this.#rest = NOTHING;
    return rest;
  }
}
