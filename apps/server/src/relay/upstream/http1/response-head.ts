import type { IncomingHttpHeaders } from "node:http";
import { FORBIDDEN_IN_VALUE, TOKEN } from "./field-syntax.ts";
import { MalformedResponseError } from "./malformed-response-error.ts";

/** Where a body ends: after so many bytes, with its last chunk, or with the connection. */
type BodyEnd = number | "chunks" | "connection";

/** What stands before a response's body. */
export interface ResponseHead {
  readonly status: number;
  /** Lower-case names; what came several times is a list. */
  readonly headers: IncomingHttpHeaders;
  readonly bodyEnd: BodyEnd;
  /** How long the server keeps the connection after the body, in ms: 0 not at all, undefined as long as it likes. */
  readonly keepAliveMs: number | undefined;
}

const STATUS_LINE = /^HTTP\/1\.[01] [1-9]\d\d(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const LENGTH = /^\d{1,15}$/;
const ENDS_CHUNKED = /(?:^|,)[\t ]*chunked$/i;
const HAS_CLOSE = /(?:^|,)[\t ]*close[\t ]*(?:,|$)/i;
const HAS_KEEP_ALIVE = /(?:^|,)[\t ]*keep-alive[\t ]*(?:,|$)/i;
const KEEP_ALIVE_TIMEOUT = /timeout=(\d{1,9})/i;

/** A line of a head, as it was read. */
interface HeadLine {
  /** With its end. */
  readonly text: string;
  readonly name: string;
  readonly value: string;
}

/** A head of the usual status in which no name came twice, with its lines. */
interface KnownHead {
  readonly lines: HeadLine[];
  readonly headers: IncomingHttpHeaders;
  bodyEnd: BodyEnd;
  readonly keepAliveMs: number | undefined;
}

/** What a server said last: most of its next head is the same, and known to be good. */
export interface HeadMemory {
  head: KnownHead | undefined;
}

const USUAL_STATUS = "HTTP/1.1 200 OK\r\n";
/** Longer heads are read anew each time. */
const MOST_KNOWN_LETTERS = 4_096;

/**
 * Reads a head, with the ends of its lines and without the empty one at its end. Throws MalformedResponseError on whatever another reader could take
 * for something else.
 */
export function parseResponseHead(text: string, memory: HeadMemory): ResponseHead {
  // Compared as slices, which takes half of what V8 needs for startsWith.
  const isUsual = text.slice(0, USUAL_STATUS.length) === USUAL_STATUS;
  const before = isUsual && text.length <= MOST_KNOWN_LETTERS ? memory.head : undefined;
  return (before && sayAsBefore(text, before)) ?? readAll(text, isUsual, memory);
}

/** Fields that say where the body ends, beside its length, or how the connection is kept. */
const FRAMING: ReadonlySet<string> = new Set(["transfer-encoding", "connection", "keep-alive"]);

/** Undefined where more differs than values of fields that stood at the same places. */
function sayAsBefore(text: string, known: KnownHead): ResponseHead | undefined {
  const { lines, headers, keepAliveMs } = known;
  let at = USUAL_STATUS.length;
  for (let place = 0; place < lines.length; place += 1) {
    let line = lines[place];
    if (line === undefined || at === text.length) return undefined;
    if (text.slice(at, at + line.text.length) !== line.text) {
      const { name } = line;
      line = readLine(text, at);
      if (line.name !== name || FRAMING.has(name)) return undefined;
      if (name === "content-length") known.bodyEnd = readLength(line.value);
      headers[name] = line.value;
      lines[place] = line;
    }
    at += line.text.length;
  }
  return at === text.length ? { status: 200, headers: { ...headers }, bodyEnd: known.bodyEnd, keepAliveMs } : undefined;
}

function readAll(text: string, isUsual: boolean, memory: HeadMemory): ResponseHead {
  const fields = new HeaderFields();
  const lines: HeadLine[] = [];
  for (let at = isUsual ? USUAL_STATUS.length : endOfStatus(text); at < text.length;) {
    const line = readLine(text, at);
    fields.add(line.name, line.value);
    lines.push(line);
    at += line.text.length;
  }
  const said = fields.toHead(Number(text.slice(9, 12)), text[7] === "1");
  const { headers, bodyEnd, keepAliveMs } = said;
  const isKept = isUsual && text.length <= MOST_KNOWN_LETTERS && Object.keys(headers).length === lines.length;
  memory.head = isKept ? { lines, headers: { ...headers }, bodyEnd, keepAliveMs } : undefined;
  return said;
}

function endOfStatus(text: string): number {
  const end = text.indexOf("\r\n");
  if (!STATUS_LINE.test(text.slice(0, end))) throw new MalformedResponseError("The status line is none of HTTP/1.1.");
  return end + 2;
}

function readLine(text: string, at: number): HeadLine {
  const end = text.indexOf("\r\n", at);
  const colon = text.indexOf(":", at);
  if (colon === -1 || colon >= end) throw new MalformedResponseError("A line of the head is no header.");
  const name = fieldName(text.slice(at, colon));
  return { text: text.slice(at, end + 2), name, value: fieldValue(text, colon + 1, end) };
}

/** The same names come in every answer. */
const knownNames = new Map<string, string>();
const MOST_KNOWN_NAMES = 1_000;

/** Returns the name in lower case. */
function fieldName(written: string): string {
  const known = knownNames.get(written);
  if (known !== undefined) return known;
  if (!TOKEN.test(written)) throw new MalformedResponseError("The name of a header is no token.");
  const name = written.toLowerCase();
  if (knownNames.size >= MOST_KNOWN_NAMES) knownNames.clear();
  knownNames.set(written, name);
  return name;
}

function fieldValue(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  const value = text.slice(start, end);
  if (FORBIDDEN_IN_VALUE.test(value)) throw new MalformedResponseError("A header has characters that none may have.");
  return value;
}

function isBlank(character: number): boolean {
  return character === 0x20 || character === 0x09;
}

function readLength(value: string): number {
  if (!LENGTH.test(value)) throw new MalformedResponseError("The content length is no number.");
  return Number(value);
}

const USUAL_CONNECTION = ",keep-alive";

/** The headers of one response, and what they say about its body and the connection. */
class HeaderFields {
  readonly #headers: IncomingHttpHeaders = {};
  #length: number | undefined;
  #transferEncoding: string | undefined;
  #connection = "";
  #keepAlive = "";

  add(name: string, value: string): void {
    // The one name that would not become a property of its own.
    if (name === "__proto__") return;
    const before = Object.hasOwn(this.#headers, name) ? this.#headers[name] : undefined;
    if (before === undefined) this.#headers[name] = value;
    else if (typeof before === "string") this.#headers[name] = [before, value];
    else before.push(value);
    switch (name) {
      case "content-length":
        return this.#takeLength(value);
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

  /** Two lengths, even the same, are a sign that somebody put one into the other's answer. */
  #takeLength(value: string): void {
    if (this.#length !== undefined) throw new MalformedResponseError("The head has several content lengths.");
    this.#length = readLength(value);
  }

  toHead(status: number, isHttp11: boolean): ResponseHead {
    if (this.#length !== undefined && this.#transferEncoding !== undefined) {
      throw new MalformedResponseError("The head has both a content length and a transfer encoding.");
    }
    const bodyEnd = this.#bodyEnd(status);
    const keepsConnection = bodyEnd !== "connection" && !this.#promisesBody(status) && this.#keepsConnection(isHttp11);
    const keepAliveMs = keepsConnection ? this.#keepAliveMs() : 0;
    return { status, headers: this.#headers, bodyEnd, keepAliveMs };
  }

  #bodyEnd(status: number): BodyEnd {
    if (hasNoBody(status)) return 0;
    if (this.#transferEncoding !== undefined)
      return ENDS_CHUNKED.test(this.#transferEncoding) ? "chunks" : "connection";
    return this.#length ?? "connection";
  }

  /** A server that promises a body where there is none may send it, and it would be taken for the next answer. */
  #promisesBody(status: number): boolean {
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
