import { crc32 } from "node:zlib";
import { EventTooLongError, MAX_EVENT_BYTES } from "./event-splitter.ts";
import type { Framing, StreamSplitter } from "./framing.ts";
import { HeldBytes } from "./held-bytes.ts";
import type { ServerSentEvent } from "./server-sent-event.ts";

/** Event name of a damaged or truncated message; readers fail with it. */
export const BROKEN_MESSAGE = "broken-message";

/** Lengths of the message and of its headers, and the checksum of both. */
const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;

/**
 * Messages of Amazon's event streams: a name from the headers, a payload, and two checksums. Exceptions have their own names; damaged messages
 * become BROKEN_MESSAGE. Amazon's own codec costs 13 MB at start, so only tests use it.
 * Source: https://smithy.io/2.0/aws/amazon-eventstream.html
 */
export const AWS_EVENT_STREAM: Framing = {
  contentType: /^application\/vnd\.amazon\.eventstream\b/i,
  splitter: () => new MessageSplitter(),
  readEvent: readMessage,
};

class MessageSplitter implements StreamSplitter {
  readonly #rest = new HeldBytes();
  #needed = PRELUDE_BYTES;

  push(chunk: Buffer): readonly Buffer[] {
    const bytes = this.#rest.with(chunk);
    const messages: Buffer[] = [];
    let start = 0;
    while (bytes.length - start >= this.#needed) {
      const length = lengthOfMessage(bytes.subarray(start));
      // With damaged lengths, the end of a message cannot be found.
      if (length === undefined) {
        this.#rest.release();
        return [...messages, bytes.subarray(start)];
      }
      if (length > MAX_EVENT_BYTES) throw new EventTooLongError();
      this.#needed = length;
      if (bytes.length - start < length) break;
      messages.push(bytes.subarray(start, start + length));
      start += length;
      this.#needed = PRELUDE_BYTES;
    }
    this.#rest.copyFrom(bytes, start);
    return messages;
  }

  flush(): Buffer {
    this.#needed = PRELUDE_BYTES;
    return this.#rest.release();
  }
}

/** Returns the length of the message; undefined where its lengths are damaged. */
function lengthOfMessage(bytes: Buffer): number | undefined {
  const length = bytes.readUInt32BE(0);
  const headers = bytes.readUInt32BE(4);
  const isSound = bytes.readUInt32BE(8) === crc32(bytes.subarray(0, 8));
  return isSound && length >= PRELUDE_BYTES + headers + CHECKSUM_BYTES ? length : undefined;
}

function readMessage(message: Buffer): ServerSentEvent {
  const end = message.length - CHECKSUM_BYTES;
  if (end < PRELUDE_BYTES || lengthOfMessage(message) !== message.length) return brokenMessage();
  if (message.readUInt32BE(end) !== crc32(message.subarray(0, end))) return brokenMessage();
  const endOfHeaders = PRELUDE_BYTES + message.readUInt32BE(4);
  const headers = readHeaders(message.subarray(PRELUDE_BYTES, endOfHeaders));
  if (headers === undefined) return brokenMessage();
  const data = message.toString("utf8", endOfHeaders, end);
  switch (headers.get(":message-type")) {
    case "exception":
      return { name: headers.get(":exception-type") ?? "exception", data: data || "{}" };
    case "error":
      return {
        name: headers.get(":error-code") || "error",
        data: JSON.stringify({ message: headers.get(":error-message") }),
      };
    default:
      return { name: headers.get(":event-type") ?? "", data };
  }
}

function brokenMessage(): ServerSentEvent {
  return { name: BROKEN_MESSAGE, data: "{}" };
}

/** Bytes of a header's value by type: booleans, numbers, a time and an id. Bytes (6) and texts (7) state their length. */
const VALUE_BYTES: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };
const BYTES_TYPE = 6;
const TEXT_TYPE = 7;

/** Returns the text headers; undefined where their stated lengths do not fit. */
function readHeaders(bytes: Buffer): ReadonlyMap<string, string> | undefined {
  const headers = new Map<string, string>();
  let at = 0;
  while (at < bytes.length) {
    const nameEnd = at + 1 + (bytes[at] ?? 0);
    const type = bytes[nameEnd] ?? -1;
    let start = nameEnd + 1;
    let length = VALUE_BYTES[type];
    if (type === BYTES_TYPE || type === TEXT_TYPE) {
      if (start + 2 > bytes.length) return undefined;
      length = bytes.readUInt16BE(start);
      start += 2;
    }
    if (length === undefined || start + length > bytes.length) return undefined;
    if (type === TEXT_TYPE)
      headers.set(bytes.toString("utf8", at + 1, nameEnd), bytes.toString("utf8", start, start + length));
    at = start + length;
  }
  return headers;
}
