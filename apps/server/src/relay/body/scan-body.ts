import { RelayError } from "../errors/index.ts";
import { type FieldSpan, type PieceEnd, PieceEnds } from "./piece-ends.ts";

export type { FieldSpan } from "./piece-ends.ts";

export interface ScanLimits {
  readonly values: number;
  /** Texts, names, lists and objects: each costs about twenty times as much as a number. */
  readonly compounds: number;
  /** Bodies up to this length are not limited. In longer ones long texts are elided. */
  readonly wholeBytes: number;
  readonly elidedFields: ReadonlySet<string>;
  readonly outlineBytes: number;
  readonly pieceBytes: number;
}

export interface Elision extends FieldSpan {
  readonly name: string | undefined;
}

export interface ScannedObject {
  readonly fields: ReadonlyMap<string, FieldSpan>;
  /** Spans without quotes, in order. Short bodies have no elided texts. */
  readonly elisions: readonly Elision[];
  readonly pieceEnds: readonly PieceEnd[];
}

/** Deeper nesting is refused: it can exhaust a parser's stack. */
const MAX_DEPTH = 128;
const MAX_FIELDS = 1_000;
/** A double needs 17 digits and an exponent. */
const MAX_NUMBER_BYTES = 1_024;
const SHORT_BYTES = 256;
const MAX_NAME_BYTES = 1_024;
/** The rest of a text is searched natively after this many bytes without an escape: a measured break-even. */
const BY_HAND_BYTES = 32;
const MAX_BY_HAND_BYTES = 4_096;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;
const TAB = 0x09;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/** Frequent names by length and first letter: comparing costs a third of decoding. */
const USUAL_NAMES: ReadonlyMap<number, string> = new Map(
  ["model", "messages", "max_tokens", "stream", "temperature", "tools", "input", "top_p", "n"].map((name) => [
    shapeOf(name.length, name.charCodeAt(0)),
    name,
  ]),
);

function shapeOf(length: number, firstLetter = 0): number {
  return length * 256 + firstLetter;
}

/**
 * Scans a JSON object before it is parsed. Refuses bodies that are slow to parse. Checks the top level and the nesting only.
 * Throws a 400 RelayError.
 */
export function scanBody(bytes: Buffer, limits: ScanLimits): ScannedObject {
  const scanned = new BodyScan(bytes, limits).advance(Infinity);
  if (scanned === undefined) throw new Error("A scan without a bound did not come to its end.");
  return scanned;
}

const NONE = -1;
const BEYOND = -2;

/** The same scan in slices, between which other work may run. */
export class BodyScan {
  readonly #bytes: Buffer;
  readonly #limits: ScanLimits;
  readonly #length: number;
  readonly #fields = new Map<string, FieldSpan>();
  readonly #elisions: Elision[] = [];
  readonly #isLarge: boolean;
  readonly #pieceEnds: PieceEnds | undefined;
  #elidesTexts = false;
  #at = 0;
  #values = 0;
  #compounds = 0;
  #elidedBytes = 0;
  /** Positions of the next quote and backslash. They only grow, so no byte is searched twice. */
  #nextQuote = -1;
  #nextBackslash = -1;
  #stop = 0;
  #isBegun = false;
  #name = "";
  #valueStart = 0;
  #lastText = 0;
  #lastEscape = 0;
  #depth = 0;
  #textStart = NONE;

  constructor(bytes: Buffer, limits: ScanLimits) {
    this.#bytes = bytes;
    this.#limits = limits;
    this.#length = bytes.length;
    this.#isLarge = bytes.length > limits.wholeBytes;
    this.#pieceEnds = this.#isLarge ? new PieceEnds(bytes, limits.pieceBytes) : undefined;
  }

  /** Scans about this many bytes. Returns undefined until the body ends. Throws a 400 RelayError. */
  advance(mostBytes: number): ScannedObject | undefined {
    this.#stop = this.#at + mostBytes;
    if (!this.#isBegun && !this.#begin()) return this.#ended();
    while (this.#skipValue()) {
      this.#fields.set(this.#name, { start: this.#valueStart, end: this.#at });
      this.#skipSpace();
      const next = this.#bytes[this.#at];
      if (next === CLOSE_BRACE) return this.#ended();
      if (next !== COMMA) throw badBody(NO_OBJECT);
      this.#pieceEnds?.comma(0, this.#at, this.#elisions.length, this.#elidedBytes);
      this.#at += 1;
      this.#skipSpace();
      this.#beginField();
    }
    return undefined;
  }

  #begin(): boolean {
    this.#isBegun = true;
    this.#skipSpace();
    if (this.#take() !== OPEN_BRACE) throw badBody(NO_OBJECT);
    this.#skipSpace();
    if (this.#bytes[this.#at] === CLOSE_BRACE) return false;
    this.#beginField();
    return true;
  }

  #beginField(): void {
    this.#lastText = this.#at;
    const name = this.#readName();
    if (this.#fields.size === MAX_FIELDS) throw badBody(`The body has more than ${MAX_FIELDS} fields.`);
    if (this.#fields.has(name)) throw badBody(`The body names the field ${show(name)} twice. Send it once.`, name);
    this.#skipSpace();
    this.#endName(0);
    if (this.#take() !== COLON) throw badBody(NO_OBJECT);
    this.#skipSpace();
    this.#name = name;
    this.#valueStart = this.#at;
    this.#elidesTexts = this.#isLarge && this.#limits.elidedFields.has(name);
  }

  #ended(): ScannedObject {
    this.#at += 1;
    this.#skipSpace();
    if (this.#at < this.#length) throw badBody(NO_OBJECT);
    this.#checkOutline();
    return { fields: this.#fields, elisions: this.#elisions, pieceEnds: this.#pieceEnds?.found ?? [] };
  }

  #checkOutline(): void {
    const { outlineBytes } = this.#limits;
    if (this.#at - this.#elidedBytes <= outlineBytes) return;
    const what = "structure, numbers, white space and short texts";
    throw badBody(`The body holds more than ${outlineBytes} bytes of ${what}. Send less at a time.`);
  }

  #take(): number | undefined {
    const byte = this.#bytes[this.#at];
    this.#at += 1;
    return byte;
  }

  #skipSpace(): void {
    const bytes = this.#bytes;
    const most = this.#at + this.#limits.outlineBytes;
    let at = this.#at;
    for (const end = Math.min(this.#length, most + 1); at < end; at += 1) {
      const byte = bytes[at];
      if (byte !== SPACE && byte !== LINE_FEED && byte !== RETURN && byte !== TAB) break;
    }
    this.#at = at;
    if (at > most) this.#checkOutline();
  }

  #readName(): string {
    const start = this.#at;
    if (this.#bytes[start] !== QUOTE) throw badBody(NO_OBJECT);
    this.#count(0, 1);
    const end = this.#endOfText(start + 1, start + MAX_NAME_BYTES);
    if (end === BEYOND || end - start - 1 > MAX_NAME_BYTES)
      throw badBody("The body has a field whose name is too long.");
    this.#at = end + 1;
    const usual = USUAL_NAMES.get(shapeOf(end - start - 1, this.#bytes[start + 1]));
    if (usual !== undefined && this.#isName(usual, start + 1)) return usual;
    const name = this.#bytes.toString("utf8", start + 1, this.#at - 1);
    if (!name.includes("\\")) return name;
    return unescape(name);
  }

  #isName(usual: string, start: number): boolean {
    for (let index = 0; index < usual.length; index += 1)
      if (this.#bytes[start + index] !== usual.charCodeAt(index)) return false;
    return true;
  }

  /** False: the value continues in the next slice. */
  #skipValue(): boolean {
    if (this.#textStart !== NONE && !this.#skipText()) return false;
    if (this.#depth > 0) return this.#skipContainer();
    if (this.#at > this.#valueStart) return true;
    const first = this.#bytes[this.#at];
    if (first === QUOTE) {
      this.#count(1, 1);
      return this.#beginText();
    }
    if (first === OPEN_BRACE || first === OPEN_BRACKET) return this.#skipContainer();
    this.#count(1, 0);
    this.#skipPlain();
    return true;
  }

  #skipContainer(): boolean {
    const bytes = this.#bytes;
    const pieceEnds = this.#pieceEnds;
    const end = Math.min(this.#stop, this.#length);
    let at = this.#at;
    while (at < end) {
      const byte = bytes[at] ?? COMMA;
      if (byte === QUOTE) {
        this.#count(0, 1);
        this.#lastText = at;
        this.#at = at;
        if (!this.#beginText()) return false;
        at = this.#at;
        continue;
      }
      if (byte === COMMA) {
        this.#count(1, 0);
        pieceEnds?.comma(this.#depth, at, this.#elisions.length, this.#elidedBytes);
      } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
        this.#count(1, 1);
        this.#depth += 1;
        if (this.#depth > MAX_DEPTH) throw badBody(`The body nests deeper than ${MAX_DEPTH} levels.`);
        pieceEnds?.opened(this.#depth, at);
      } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) {
        this.#depth -= 1;
        if (this.#depth === 0) {
          this.#at = at + 1;
          return true;
        }
      } else if (byte === COLON) {
        this.#at = at;
        this.#endName(this.#depth);
      } else {
        this.#at = at;
        if (isSpace(byte)) this.#skipSpace();
        else this.#skipPlain();
        at = this.#at;
        continue;
      }
      at += 1;
    }
    if (at >= this.#length) throw badBody(NO_OBJECT);
    this.#at = at;
    return false;
  }

  #skipPlain(): void {
    const bytes = this.#bytes;
    const from = this.#at;
    const stop = Math.min(from + MAX_NUMBER_BYTES, this.#length);
    let at = from;
    while (at < stop && !endsPlain(bytes[at] ?? COMMA)) at += 1;
    if (at === from) throw badBody(NO_OBJECT);
    if (at - from === MAX_NUMBER_BYTES) throw badBody(`The body has a number of ${MAX_NUMBER_BYTES} digits or more.`);
    this.#at = at;
  }

  #beginText(): boolean {
    this.#at += 1;
    this.#textStart = this.#at;
    return this.#skipText();
  }

  #skipText(): boolean {
    const start = this.#textStart;
    const end = this.#endOfText(this.#at, this.#stop);
    if (end === BEYOND) return false;
    this.#at = end + 1;
    this.#textStart = NONE;
    if (end - start > SHORT_BYTES && this.#elidesTexts) this.#elide(start, end);
    return true;
  }

  /** V8's parser confuses a name with escapes with an earlier name that starts with the same raw letters. A limit would be overlooked. */
  #endName(depth: number): void {
    this.#pieceEnds?.colon(depth, this.#lastText, this.#at);
    if (this.#lastEscape <= this.#lastText || this.#elisions.at(-1)?.start === this.#lastText + 1) return;
    const start = this.#lastText + 1;
    const end = this.#endOfName(start);
    const name = JSON.stringify(unescape(this.#bytes.toString("utf8", start, end))).slice(1, -1);
    this.#elisions.push({ start, end, name });
  }

  #endOfName(start: number): number {
    const end = this.#bytes.lastIndexOf(QUOTE, this.#at);
    if (end < start) throw badBody(NO_OBJECT);
    return end;
  }

  /** Index of the text's closing quote, or `BEYOND` if it is not found before about `stop`. */
  #endOfText(from: number, stop: number): number {
    const bytes = this.#bytes;
    let at = from;
    let byHand = BY_HAND_BYTES;
    for (;;) {
      let isPlain = true;
      for (const end = Math.min(at + byHand, this.#length); at < end; at += 1) {
        const byte = bytes[at];
        if (byte === QUOTE) return at;
        if (byte !== BACKSLASH) continue;
        this.#lastEscape = at;
        at += 1;
        isPlain = false;
      }
      if (at >= this.#length) throw badBody(NO_OBJECT);
      if (at > stop) {
        this.#at = at;
        return BEYOND;
      }
      if (!isPlain) continue;
      const quote = this.#quoteFrom(at);
      const backslash = this.#backslashFrom(at);
      if (quote < backslash) return quote;
      if (backslash === this.#length) throw badBody(NO_OBJECT);
      // Native search does not pay off if escapes are close together.
      byHand = backslash - at < byHand ? Math.min(byHand * 2, MAX_BY_HAND_BYTES) : BY_HAND_BYTES;
      at = backslash;
    }
  }

  #quoteFrom(at: number): number {
    if (this.#nextQuote < at) this.#nextQuote = indexOrEnd(this.#bytes, QUOTE, at);
    return this.#nextQuote;
  }

  #backslashFrom(at: number): number {
    if (this.#nextBackslash < at) this.#nextBackslash = indexOrEnd(this.#bytes, BACKSLASH, at);
    return this.#nextBackslash;
  }

  #count(values: number, compounds: number): void {
    if (!this.#isLarge) return;
    this.#values += values;
    this.#compounds += compounds;
    this.#checkOutline();
    if (this.#values > this.#limits.values || this.#compounds > this.#limits.compounds) {
      const { values: most, compounds: mostCompounds } = this.#limits;
      throw badBody(
        `The body holds more than ${most} values, or more than ${mostCompounds} texts, names, lists and objects.`,
      );
    }
  }

  #elide(start: number, end: number): void {
    this.#elisions.push({ start, end, name: undefined });
    this.#elidedBytes += end - start;
  }
}

export const NO_OBJECT = "The body is not a valid JSON object. Send one with content-type application/json.";

export function badBody(message: string, field?: string): RelayError {
  const param = field === undefined ? {} : { param: show(field) };
  return new RelayError({ status: 400, type: "invalid_request_error", code: "invalid_json", message, ...param });
}

function show(name: string): string {
  return name.slice(0, 64);
}

function indexOrEnd(bytes: Buffer, byte: number, from: number): number {
  const index = bytes.indexOf(byte, from);
  return index === -1 ? bytes.length : index;
}

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB;
}

function endsPlain(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isSpace(byte);
}

function unescape(name: string): string {
  try {
    const unescaped: unknown = JSON.parse(`"${name}"`);
    if (typeof unescaped === "string") return unescaped;
  } catch {}
  throw badBody(NO_OBJECT);
}
