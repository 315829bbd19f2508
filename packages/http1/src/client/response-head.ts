import type { IncomingHttpHeaders } from "node:http";
import { CONTENT_LENGTH, FORBIDDEN_IN_VALUE, TOKEN } from "../grammar/field-syntax.ts";
import { MalformedResponseError } from "./malformed-response-error.ts";

/** End of a body: after a number of bytes, with its last chunk, or with the connection. */
type BodyEnd = number | "chunks" | "connection";

export interface ResponseHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bodyEnd: BodyEnd;
  /** Longest idle time afterwards. 0: the connection closes; undefined: the server announces no limit. */
  readonly keepAliveMs: number | undefined;
}

const STATUS_LINE = /^HTTP\/1\.[01] [1-9]\d\d(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const ENDS_CHUNKED = /(?:^|,)[\t ]*chunked$/i;
const HAS_CLOSE = /(?:^|,)[\t ]*close[\t ]*(?:,|$)/i;
const HAS_KEEP_ALIVE = /(?:^|,)[\t ]*keep-alive[\t ]*(?:,|$)/i;
const KEEP_ALIVE_TIMEOUT = /timeout=(\d{1,9})/i;

interface HeadLine {
  /** With its CRLF. */
  readonly text: string;
  readonly name: string;
  readonly value: string;
}

interface KnownHead {
  readonly lines: HeadLine[];
  readonly headers: IncomingHttpHeaders;
  bodyEnd: BodyEnd;
  readonly keepAliveMs: number | undefined;
}

/** The last head of a server. Lines of the next head that are equal to its lines are valid. */
export interface HeadMemory {
  head: KnownHead | undefined;
}

const USUAL_STATUS = "HTTP/1.1 200 OK\r\n";
const MAX_KNOWN_LENGTH = 4_096;

/** Parses a head that ends with the CRLF of its last line. Throws MalformedResponseError for anything that two readers may understand differently. */
export function parseResponseHead(text: string, memory: HeadMemory): ResponseHead {
  // Compared as slices: V8 takes twice as long for startsWith.
  const isUsual = text.slice(0, USUAL_STATUS.length) === USUAL_STATUS;
  const before = isUsual && text.length <= MAX_KNOWN_LENGTH ? memory.head : undefined;
  return (before && matchKnown(text, before)) ?? parse(text, isUsual, memory);
}

/** Headers of the body's framing besides its length, and of the connection. */
const FRAMING: ReadonlySet<string> = new Set(["transfer-encoding", "connection", "keep-alive"]);

/** Undefined if the head differs from the known one in more than values. */
function matchKnown(text: string, known: KnownHead): ResponseHead | undefined {
  const { lines, headers, keepAliveMs } = known;
  let at = USUAL_STATUS.length;
  for (let index = 0; index < lines.length; index += 1) {
    let line = lines[index];
    if (line === undefined || at === text.length) return undefined;
    if (text.slice(at, at + line.text.length) !== line.text) {
      const { name } = line;
      line = parseLine(text, at);
      if (line.name !== name || FRAMING.has(name)) return undefined;
      if (name === "content-length") known.bodyEnd = parseLength(line.value);
      headers[name] = line.value;
      lines[index] = line;
    }
    at += line.text.length;
  }
  return at === text.length ? { status: 200, headers: { ...headers }, bodyEnd: known.bodyEnd, keepAliveMs } : undefined;
}

function parse(text: string, isUsual: boolean, memory: HeadMemory): ResponseHead {
  const fields = new HeaderFields();
  const lines: HeadLine[] = [];
  for (let at = isUsual ? USUAL_STATUS.length : endOfStatusLine(text); at < text.length;) {
    const line = parseLine(text, at);
    fields.add(line.name, line.value);
    lines.push(line);
    at += line.text.length;
  }
  const head = fields.toHead(Number(text.slice(9, 12)), text[7] === "1");
  const { headers, bodyEnd, keepAliveMs } = head;
  const isKnown = isUsual && text.length <= MAX_KNOWN_LENGTH && Object.keys(headers).length === lines.length;
  memory.head = isKnown ? { lines, headers: { ...headers }, bodyEnd, keepAliveMs } : undefined;
  return head;
}

function endOfStatusLine(text: string): number {
  const end = text.indexOf("\r\n");
  if (!STATUS_LINE.test(text.slice(0, end))) throw new MalformedResponseError("The status line is not of HTTP/1.1.");
  return end + 2;
}

function parseLine(text: string, at: number): HeadLine {
  const end = text.indexOf("\r\n", at);
  const colon = text.indexOf(":", at);
  if (colon === -1 || colon >= end) throw new MalformedResponseError("A line of the head is not a header.");
  const name = parseName(text.slice(at, colon));
  return { text: text.slice(at, end + 2), name, value: parseValue(text, colon + 1, end) };
}

/** Lower-case forms of names. The same names come in every response. */
const knownNames = new Map<string, string>();
const MAX_KNOWN_NAMES = 1_000;

function parseName(written: string): string {
  const known = knownNames.get(written);
  if (known !== undefined) return known;
  if (!TOKEN.test(written)) throw new MalformedResponseError("The name of a header is not a token.");
  const name = written.toLowerCase();
  if (knownNames.size >= MAX_KNOWN_NAMES) knownNames.clear();
  knownNames.set(written, name);
  return name;
}

function parseValue(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  const value = text.slice(start, end);
  if (FORBIDDEN_IN_VALUE.test(value)) throw new MalformedResponseError("A header has a forbidden character.");
  return value;
}

function isBlank(character: number): boolean {
  return character === 0x20 || character === 0x09;
}

function parseLength(value: string): number {
  if (!CONTENT_LENGTH.test(value)) throw new MalformedResponseError("The content length is not a number.");
  return Number(value);
}

const USUAL_CONNECTION = ",keep-alive";

class HeaderFields {
  readonly #headers: IncomingHttpHeaders = {};
  #length: number | undefined;
  #transferEncoding: string | undefined;
  #connection = "";
  #keepAlive = "";

  add(name: string, value: string): void {
    // The only name that does not become a property.
    if (name === "__proto__") return;
    const before = Object.hasOwn(this.#headers, name) ? this.#headers[name] : undefined;
    if (before === undefined) this.#headers[name] = value;
    else if (typeof before === "string") this.#headers[name] = [before, value];
    else before.push(value);
    switch (name) {
      case "content-length":
        return this.#setLength(value);
      case "transfer-encoding":
        this.#transferEncoding = this.#transferEncoding === undefined ? value : `${this.#transferEncoding}, ${value}`;
        return;
      case "connection":
        this.#connection += `,${value}`;
        return;
      case "keep-alive":
        this.#keepAlive += `,${value}`;
    }
  }

  /** Two lengths, even equal ones, are a sign of response splitting. */
  #setLength(value: string): void {
    if (this.#length !== undefined) throw new MalformedResponseError("The head has several content lengths.");
    this.#length = parseLength(value);
  }

  toHead(status: number, isHttp11: boolean): ResponseHead {
    if (this.#length !== undefined && this.#transferEncoding !== undefined) {
      throw new MalformedResponseError("The head has both a content length and a transfer encoding.");
    }
    const bodyEnd = this.#bodyEnd(status);
    const isReusable = bodyEnd !== "connection" && !this.#announcesBody(status) && this.#keepsConnection(isHttp11);
    const keepAliveMs = isReusable ? this.#keepAliveMs() : 0;
    return { status, headers: this.#headers, bodyEnd, keepAliveMs };
  }

  #bodyEnd(status: number): BodyEnd {
    if (hasNoBody(status)) return 0;
    if (this.#transferEncoding !== undefined)
      return ENDS_CHUNKED.test(this.#transferEncoding) ? "chunks" : "connection";
    return this.#length ?? "connection";
  }

  /** A server that announces a body for a status without one may send it, and it would be read as the next response. */
  #announcesBody(status: number): boolean {
    return hasNoBody(status) && ((this.#length ?? 0) > 0 || this.#transferEncoding !== undefined);
  }

  #keepsConnection(isHttp11: boolean): boolean {
    if (this.#connection === "") return isHttp11;
    if (this.#connection === USUAL_CONNECTION) return true;
    return !HAS_CLOSE.test(this.#connection) && (isHttp11 || HAS_KEEP_ALIVE.test(this.#connection));
  }

  #keepAliveMs(): number | undefined {
    const seconds = this.#keepAlive === "" ? undefined : KEEP_ALIVE_TIMEOUT.exec(this.#keepAlive)?.[1];
    return seconds === undefined ? undefined : Number(seconds) * 1000;
  }
}

function hasNoBody(status: number): boolean {
  return status < 200 || status === 204 || status === 304;
}
