import type { IncomingHttpHeaders } from "node:http";

/** The head of a request in its plain form. */
export interface PlainHead {
  /** Path and query, as they were sent. */
  readonly url: string;
  /** By names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[];
  /** Bytes of the body. */
  readonly contentLength: number;
  /** Where in the bytes the body begins. */
  readonly bodyStart: number;
}

/** Longer heads, and such with more fields, are Node's to bound. */
const MOST_BYTES = 8 * 1024;
const MOST_LINES = 64;

const END = Buffer.from("\r\n\r\n");

/**
 * A POST of HTTP/1.1 whose target and fields are of letters that nobody reads in two ways: no bare CR or LF, no folded lines, no space before a
 * colon, no control characters, nothing beyond ASCII.
 */
const PLAIN = /^POST \/[\w\-.~:/?%&=+,;@!$'()*]* HTTP\/1\.1(?:\r\n[A-Za-z][\w-]*:[\t\x20-\x7e]*)+$/;

const URL_START = "POST ".length;
const LINE_END = " HTTP/1.1".length;

/**
 * Reads a request's head where all of it stands at the beginning of the bytes in the plain form; undefined for any other, which Node's parser is to
 * judge. What it returns is what Node would read: fields that come twice, or say how the message or the connection is to be taken otherwise than by
 * one length, are no plain form.
 */
export function readHead(bytes: Buffer): PlainHead | undefined {
  const end = bytes.indexOf(END);
  if (end === -1 || end > MOST_BYTES) return undefined;
  const text = bytes.toString("latin1", 0, end);
  if (!PLAIN.test(text)) return undefined;
  const lines = text.split("\r\n");
  if (lines.length > MOST_LINES) return undefined;
  const fields = readFields(lines);
  if (fields === undefined || !isOneLength(fields.headers)) return undefined;
  const [line = ""] = lines;
  return {
    url: line.slice(URL_START, -LINE_END),
    ...fields,
    contentLength: Number(fields.headers["content-length"]),
    bodyStart: end + END.length,
  };
}

/** The fields of all lines but the first; undefined where a name comes twice. */
function readFields(lines: readonly string[]): Pick<PlainHead, "headers" | "rawHeaders"> | undefined {
  const headers: IncomingHttpHeaders = {};
  const rawHeaders: string[] = [];
  for (let index = 1; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const colon = line.indexOf(":");
    const sent = line.slice(0, colon);
    const name = sent.toLowerCase();
    // Names that every object has count as sent before, too.
    if (headers[name] !== undefined) return undefined;
    const value = line.slice(colon + 1).trim();
    headers[name] = value;
    rawHeaders.push(sent, value);
  }
  return { headers, rawHeaders };
}

/** True where one length alone says where the body ends, the connection stays open and nothing is expected before the body. */
function isOneLength(headers: IncomingHttpHeaders): boolean {
  const { host, connection, upgrade, expect, trailer } = headers;
  if (host === undefined || upgrade !== undefined || expect !== undefined || trailer !== undefined) return false;
  if (headers["transfer-encoding"] !== undefined || headers["proxy-connection"] !== undefined) return false;
  // Node makes a list of it.
  if (headers["set-cookie"] !== undefined) return false;
  if (connection !== undefined && connection.toLowerCase() !== "keep-alive") return false;
  return /^\d{1,15}$/.test(headers["content-length"] ?? "");
}
