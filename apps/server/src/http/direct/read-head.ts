import type { IncomingHttpHeaders } from "node:http";

/** The head of a request in its plain form. */
export interface PlainHead {
  /** Path and query, as they were sent. */
  readonly url: string;
  /** By names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** All lines, as they were sent. */
  readonly text: string;
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

/** A field whose value differs from head to head, as its length does. */
interface VaryingField {
  /** In lower case. */
  readonly name: string;
  /** Everything from the value of the one before, or from the beginning, up to the colon of this one. */
  readonly before: string;
}

/** A head that the next ones are compared with: what stands between the values that vary. */
interface KnownHead extends Pick<PlainHead, "url" | "headers"> {
  readonly lines: readonly string[];
  readonly varying: readonly VaryingField[];
  readonly after: string;
}

const LENGTH = /^\d{1,15}$/;
const VALUE = /^[\t\x20-\x7e]*$/;
/** A connection whose heads differ so many times in a row is one where they always do. */
const MOST_KEPT_IN_VAIN = 4;
/** The length, the keys and addresses of many callers behind one proxy, and what tells requests apart. */
const MOST_VARYING = 8;

/** Reads the heads of one connection's requests, of which most say what the one before said, but for the length and some other values. */
export class HeadReader {
  #known: KnownHead | undefined;
  #keptInVain = 0;

  /**
   * Reads a request's head where all of it stands at the beginning of the bytes in the plain form; undefined for any other, which Node's parser is to
   * judge. What it returns is what Node would read: fields that come twice, or say how the message or the connection is to be taken otherwise than by
   * one length, are no plain form.
   */
  read(bytes: Buffer): PlainHead | undefined {
    const end = bytes.indexOf(END);
    if (end === -1 || end > MOST_BYTES) return undefined;
    const text = bytes.toString("latin1", 0, end);
    const said = this.#sayAsBefore(text) ?? this.#readAll(text);
    if (said === undefined) return undefined;
    const { url, headers } = said;
    return { url, headers, text, contentLength: Number(headers["content-length"]), bodyStart: end + END.length };
  }

  /** Undefined where anything but the values that vary differs. */
  #sayAsBefore(text: string): Pick<PlainHead, "url" | "headers"> | undefined {
    const known = this.#known;
    if (known === undefined) return undefined;
    const headers = { ...known.headers };
    let at = 0;
    for (const { name, before } of known.varying) {
      const start = at + before.length;
      // Compared as slices, which takes half of what V8 needs for startsWith and endsWith.
      if (text.slice(at, start) !== before) return undefined;
      const lineEnd = text.indexOf("\r\n", start);
      at = lineEnd === -1 ? text.length : lineEnd;
      const value = text.slice(start, at);
      if (!VALUE.test(value)) return undefined;
      headers[name] = value.trim();
    }
    if (text.slice(at) !== known.after || !LENGTH.test(headers["content-length"] ?? "")) return undefined;
    this.#keptInVain = 0;
    return { url: known.url, headers };
  }

  #readAll(text: string): Pick<PlainHead, "url" | "headers"> | undefined {
    if (!PLAIN.test(text)) return undefined;
    const lines = text.split("\r\n");
    if (lines.length > MOST_LINES) return undefined;
    const headers = readFields(lines);
    if (headers === undefined || !isOneLength(headers)) return undefined;
    const url = (lines[0] ?? "").slice(URL_START, -LINE_END);
    this.#known = this.#keptInVain < MOST_KEPT_IN_VAIN ? this.#keep(lines, { url, headers }) : undefined;
    return { url, headers };
  }

  /** What differs from the head that was known before varies from now on. */
  #keep(lines: readonly string[], said: Pick<PlainHead, "url" | "headers">): KnownHead {
    this.#keptInVain += 1;
    const varied = this.#known?.varying.map(({ name }) => name) ?? [];
    const differing = differingFields(this.#known?.lines ?? [], lines) ?? [];
    const all = new Set(["content-length", ...varied, ...differing]);
    const varies = all.size <= MOST_VARYING ? all : new Set(["content-length"]);
    const varying: VaryingField[] = [];
    let [before = ""] = lines;
    for (const line of lines.slice(1)) {
      const name = nameOf(line);
      if (varies.has(name)) {
        varying.push({ name, before: `${before}\r\n${line.slice(0, name.length + ":".length)}` });
        before = "";
      } else before += `\r\n${line}`;
    }
    return { url: said.url, headers: { ...said.headers }, lines, varying, after: before };
  }
}

function nameOf(line: string): string {
  return line.slice(0, line.indexOf(":")).toLowerCase();
}

/** The names of the fields whose values differ, in lower case; undefined where more than that does, or one whose value is to be looked at. */
function differingFields(before: readonly string[], lines: readonly string[]): string[] | undefined {
  if (before.length !== lines.length || before[0] !== lines[0]) return undefined;
  const differing: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (line === before[index]) continue;
    const name = nameOf(line);
    if (name !== nameOf(before[index] ?? "") || name === "connection") return undefined;
    differing.push(name);
  }
  return differing;
}

/** The fields of all lines but the first; undefined where a name comes twice. */
function readFields(lines: readonly string[]): IncomingHttpHeaders | undefined {
  const headers: IncomingHttpHeaders = {};
  for (let index = 1; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    // Names that every object has count as sent before, too.
    if (headers[name] !== undefined) return undefined;
    headers[name] = line.slice(colon + 1).trim();
  }
  return headers;
}

/** Names and values of a plain head's fields in turn, as they were sent. */
export function rawHeadersOf(text: string): string[] {
  const [, ...lines] = text.split("\r\n");
  return lines.flatMap((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
}

/** True where one length alone says where the body ends, the connection stays open and nothing is expected before the body. */
function isOneLength(headers: IncomingHttpHeaders): boolean {
  const { host, connection, upgrade, expect, trailer } = headers;
  if (host === undefined || upgrade !== undefined || expect !== undefined || trailer !== undefined) return false;
  if (headers["transfer-encoding"] !== undefined || headers["proxy-connection"] !== undefined) return false;
  // Node makes a list of it.
  if (headers["set-cookie"] !== undefined) return false;
  if (connection !== undefined && connection.toLowerCase() !== "keep-alive") return false;
  return LENGTH.test(headers["content-length"] ?? "");
}
