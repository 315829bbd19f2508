import { HeldBytes } from "./held-bytes.ts";

/** Longest event of a stream, in bytes. Events may hold a picture: one of 3,840 x 2,160 pixels has about 25 MB, and a third more in base64. */
export const MAX_EVENT_BYTES = 40 * 1024 * 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export class EventTooLongError extends Error {
  override name = "EventTooLongError";
}

/**
 * Splits server-sent events, whose lines end in LF, CRLF or CR; an empty line ends an event (WHATWG HTML, "Server-sent events"). The bytes
 * stay unchanged.
 */
export class EventSplitter {
  readonly #maxEventBytes: number;
  readonly #rest = new HeldBytes();

  constructor(maxEventBytes: number = MAX_EVENT_BYTES) {
    this.#maxEventBytes = maxEventBytes;
  }

  /** Returns the bytes of all events that are complete now; empty for none. Throws EventTooLongError. */
  take(chunk: Buffer): Buffer {
    const known = this.#rest.length;
    if (known === 0 && endsEvent(chunk)) return chunk;
    const bytes = this.#rest.with(chunk);
    const end = endOfEvents(bytes, Math.max(0, known - 3));
    this.#rest.copyFrom(bytes, end);
    if (this.#rest.length > this.#maxEventBytes) throw new EventTooLongError();
    return bytes.subarray(0, end);
  }

  push(chunk: Buffer): Buffer[] {
    const bytes = this.take(chunk);
    const events: Buffer[] = [];
    for (let start = 0; start < bytes.length;) {
      const end = endOfEvent(bytes, start);
      events.push(bytes.subarray(start, end));
      start = end;
    }
    return events;
  }

  flush(): Buffer {
    return this.#rest.release();
  }
}

function endsEvent(bytes: Buffer): boolean {
  const last = bytes.length - 1;
  if (bytes[last] !== LINE_FEED) return false;
  return bytes[last - 1] === LINE_FEED || (bytes[last - 1] === CARRIAGE_RETURN && bytes[last - 2] === LINE_FEED);
}

const PAIR = "\n\n";

/** Returns the end of the last whole event; none ends before `from`. 0 without one. */
function endOfEvents(bytes: Buffer, from: number): number {
  // Nearly all events end in PAIR: the last one is found backwards, and only the rest is read event by event.
  const pair = bytes.subarray(from).lastIndexOf(PAIR);
  let end = pair === -1 ? 0 : from + pair + PAIR.length;
  let next = findEventEnd(bytes, Math.max(from, end));
  for (; next !== -1; next = findEventEnd(bytes, next)) end = next;
  return end;
}

export function endOfEvent(bytes: Buffer, start: number): number {
  const end = findEventEnd(bytes, start);
  return end === -1 ? bytes.length : end;
}

/** Returns the index after the next empty line at or after `from`, or -1. A final CR waits for more bytes, as an LF may follow. */
function findEventEnd(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    at = nextLineEnd(bytes, at);
    if (at === -1) return -1;
    const afterFirst = endOfLineBreak(bytes, at);
    if (afterFirst === -1) return -1;
    const second = bytes[afterFirst];
    if (second === LINE_FEED || second === CARRIAGE_RETURN) {
      return endOfLineBreak(bytes, afterFirst);
    }
    at = afterFirst;
  }
}

function nextLineEnd(bytes: Buffer, from: number): number {
  const feed = bytes.indexOf(LINE_FEED, from);
  const limit = feed === -1 ? bytes.length : feed;
  const carriage = bytes.subarray(from, limit).indexOf(CARRIAGE_RETURN);
  return carriage === -1 ? feed : from + carriage;
}

function endOfLineBreak(bytes: Buffer, at: number): number {
  if (bytes[at] === LINE_FEED) return at + 1;
  if (at + 1 >= bytes.length) return -1;
  return bytes[at + 1] === LINE_FEED ? at + 2 : at + 1;
}
