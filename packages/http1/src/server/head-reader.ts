import type { IncomingHttpHeaders } from "node:http";
import { CONTENT_LENGTH, HEAD_END } from "../grammar/field-syntax.ts";

export interface PlainHead {
  /** Path and query, as sent. */
  readonly url: string;
  /** By lower-case names. */
  readonly headers: IncomingHttpHeaders;
  /** All lines, as sent. */
  readonly text: string;
  readonly contentLength: number;
  readonly bodyStart: number;
}

/** Longer heads, and those with more lines, are left to Node. */
const MAX_BYTES = 8 * 1024;
const MAX_LINES = 64;

/** No reader takes these characters in two ways: no bare CR or LF, folded line, space before a colon, control character, or byte beyond ASCII. */
const PLAIN = /^POST \/[\w\-.~:/?%&=+,;@!$'()*]* HTTP\/1\.1(?:\r\n[A-Za-z][\w-]*:[\t\x20-\x7e]*)+$/;

const URL_START = "POST ".length;
const LINE_END = " HTTP/1.1".length;

interface VaryingField {
  /** In lower case. */
  readonly name: string;
  /** Text from the end of the previous varying value, or from the start, to the colon of this header. */
  readonly before: string;
}

/** The last head of a connection, split at its varying values. */
interface KnownHead extends Pick<PlainHead, "url" | "headers"> {
  readonly lines: readonly string[];
  readonly varying: readonly VaryingField[];
  readonly after: string;
}

const VALUE = /^[\t\x20-\x7e]*$/;
/** After this many heads in a row without a match, the connection's heads are always read in full. */
const MAX_MISSES = 4;
/** The length, and for many callers behind one proxy their keys, addresses and trace ids. */
const MAX_VARYING = 8;

/** Reads the heads of one connection. A head that repeats the previous one is compared with it instead of being parsed. */
export class HeadReader {
  #known: KnownHead | undefined;
  #misses = 0;

  /**
   * Reads the head at the beginning of the bytes, with the result that Node's parser would have. Undefined for an unfinished head, duplicate
   * headers, any framing other than one `Content-Length`, and all else that is not plain.
   */
  read(bytes: Buffer): PlainHead | undefined {
    const end = bytes.indexOf(HEAD_END);
    if (end === -1 || end > MAX_BYTES) return undefined;
    const text = bytes.toString("latin1", 0, end);
    const head = this.#matchKnown(text) ?? this.#parse(text);
    if (head === undefined) return undefined;
    const { url, headers } = head;
    return { url, headers, text, contentLength: Number(headers["content-length"]), bodyStart: end + HEAD_END.length };
  }

  /** Undefined if anything but the varying values differs. */
  #matchKnown(text: string): Pick<PlainHead, "url" | "headers"> | undefined {
    const known = this.#known;
    if (known === undefined) return undefined;
    const headers = { ...known.headers };
    let at = 0;
    for (const { name, before } of known.varying) {
      const start = at + before.length;
      // Compared as slices: V8 takes twice as long for startsWith and endsWith.
      if (text.slice(at, start) !== before) return undefined;
      const lineEnd = text.indexOf("\r\n", start);
      at = lineEnd === -1 ? text.length : lineEnd;
      const value = text.slice(start, at);
      if (!VALUE.test(value)) return undefined;
      headers[name] = value.trim();
    }
    if (text.slice(at) !== known.after || !CONTENT_LENGTH.test(headers["content-length"] ?? "")) return undefined;
    this.#misses = 0;
    return { url: known.url, headers };
  }

  #parse(text: string): Pick<PlainHead, "url" | "headers"> | undefined {
    if (!PLAIN.test(text)) return undefined;
    const lines = text.split("\r\n");
    if (lines.length > MAX_LINES) return undefined;
    const headers = readFields(lines);
    if (headers === undefined || !hasPlainFraming(headers)) return undefined;
    const url = (lines[0] ?? "").slice(URL_START, -LINE_END);
    this.#known = this.#misses < MAX_MISSES ? this.#learn(lines, { url, headers }) : undefined;
    return { url, headers };
  }

  #learn(lines: readonly string[], head: Pick<PlainHead, "url" | "headers">): KnownHead {
    this.#misses += 1;
    const varied = this.#known?.varying.map(({ name }) => name) ?? [];
    const differing = differingFields(this.#known?.lines ?? [], lines) ?? [];
    const all = new Set(["content-length", ...varied, ...differing]);
    const varies = all.size <= MAX_VARYING ? all : new Set(["content-length"]);
    const varying: VaryingField[] = [];
    let [before = ""] = lines;
    for (const line of lines.slice(1)) {
      const name = nameOf(line);
      if (varies.has(name)) {
        varying.push({ name, before: `${before}\r\n${line.slice(0, name.length + ":".length)}` });
        before = "";
      } else before += `\r\n${line}`;
    }
    return { url: head.url, headers: { ...head.headers }, lines, varying, after: before };
  }
}

function nameOf(line: string): string {
  return line.slice(0, line.indexOf(":")).toLowerCase();
}

/** Returns the lower-case names of headers whose values differ. Undefined if more differs, or a value that decides about the connection. */
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

/** Reads the lines behind the first. Undefined for a duplicate name. */
function readFields(lines: readonly string[]): IncomingHttpHeaders | undefined {
  const headers: IncomingHttpHeaders = {};
  for (let index = 1; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    // Also refuses names that every object has, such as `constructor`.
    if (headers[name] !== undefined) return undefined;
    headers[name] = line.slice(colon + 1).trim();
  }
  return headers;
}

/** Returns the names and values of a plain head in turn, as sent. */
export function rawHeadersOf(text: string): string[] {
  const [, ...lines] = text.split("\r\n");
  return lines.flatMap((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
}

/** True if one length alone frames the body, the connection stays open and the client expects nothing before it sends the body. */
function hasPlainFraming(headers: IncomingHttpHeaders): boolean {
  const { host, connection, upgrade, expect, trailer } = headers;
  if (host === undefined || upgrade !== undefined || expect !== undefined || trailer !== undefined) return false;
  if (headers["transfer-encoding"] !== undefined || headers["proxy-connection"] !== undefined) return false;
  // Node returns it as a list.
  if (headers["set-cookie"] !== undefined) return false;
  if (connection !== undefined && connection.toLowerCase() !== "keep-alive") return false;
  return CONTENT_LENGTH.test(headers["content-length"] ?? "");
}
