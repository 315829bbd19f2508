import { EventSplitter, EventTooLongError, MAX_EVENT_BYTES } from "./event-splitter.ts";
import { HeldBytes } from "./held-bytes.ts";
import { readServerSentEvent, type ServerSentEvent } from "./server-sent-event.ts";

export interface Framing {
  readonly contentType: RegExp;
  splitter(): StreamSplitter;
  readEvent(event: Buffer): ServerSentEvent;
}

/** Splits one stream into whole events, however its bytes arrive. Throws EventTooLongError. */
export interface StreamSplitter {
  push(chunk: Buffer): readonly Buffer[];
  flush(): Buffer;
}

export const SERVER_SENT_EVENTS: Framing = {
  contentType: /^text\/event-stream\b/i,
  splitter: () => new EventSplitter(),
  readEvent: readServerSentEvent,
};

const LINE_FEED = 0x0a;

/** One JSON value per line. Source: https://github.com/ndjson/ndjson-spec */
export const JSON_LINES: Framing = {
  contentType: /^application\/(?:x-ndjson|stream\+json)\b/i,
  splitter: () => new LineSplitter(),
  readEvent: (line) => ({ name: "", data: line.toString().trim() }),
};

/** One JSON document with the whole answer, for providers without streams. */
export const WHOLE_DOCUMENT: Framing = {
  contentType: /^application\/json\b/i,
  splitter: () => new WholeSplitter(),
  readEvent: (document) => ({ name: "", data: document.toString() }),
};

class WholeSplitter implements StreamSplitter {
  #chunks: Buffer[] = [];
  #length = 0;

  push(chunk: Buffer): readonly Buffer[] {
    this.#length += chunk.length;
    if (this.#length > MAX_EVENT_BYTES) throw new EventTooLongError();
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
  readonly #rest = new HeldBytes();

  push(chunk: Buffer): readonly Buffer[] {
    const known = this.#rest.length;
    const bytes = this.#rest.with(chunk);
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED, known); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      // Empty lines are keep-alives of the provider.
      lines.push(bytes.subarray(start, end + 1));
      start = end + 1;
    }
    this.#rest.copyFrom(bytes, start);
    if (this.#rest.length > MAX_EVENT_BYTES) throw new EventTooLongError();
    return lines;
  }

  flush(): Buffer {
    return this.#rest.release();
  }
}
