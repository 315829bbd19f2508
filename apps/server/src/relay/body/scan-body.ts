import { RelayError } from "../errors/index.ts";
import { type FieldSpan, type PieceEnd, PieceEnds } from "./piece-ends.ts";

export type { FieldSpan } from "./piece-ends.ts";

/** What a body may hold at the most: reading it then has a bound, whatever was sent. */
export interface ScanLimits {
  /** Values of any kind. */
  readonly values: number;
  /** Texts, names, lists and objects, which cost a reader some twenty times what a number does. */
  readonly compounds: number;
  /** Bodies up to this many bytes are short enough to hold whatever they do; out of longer ones long texts are cut. */
  readonly wholeBytes: number;
  /** Fields whose long texts may be cut; all others can be relied upon as they stand. */
  readonly cutFields: ReadonlySet<string>;
  /** What is left after the cuts, in bytes. */
  readonly outlineBytes: number;
  /** Long bodies are parsed in pieces of so many bytes, about. */
  readonly pieceBytes: number;
}

/** What stands otherwise in an outline than in the body. */
export interface Cut extends FieldSpan {
  /** A name as JSON writes it without needless escapes; undefined for a long text, of which length and place are left. */
  readonly name: string | undefined;
}

/** A JSON object as a scan of its bytes shows it. */
export interface ScannedObject {
  /** The top-level fields' values. */
  readonly fields: ReadonlyMap<string, FieldSpan>;
  /** Long texts and names with escapes, without their quotes, in order; bodies that are short enough to be read whole keep their texts. */
  readonly cuts: readonly Cut[];
  /** Where the pieces end in which it can be parsed, without the last; none for short bodies. */
  readonly pieceEnds: readonly PieceEnd[];
}

/** Nesting beyond this is refused: nothing of ours writes it, and it can exhaust the stack of a reader. */
const MAX_DEPTH = 128;
/** Top-level fields: no interface has a tenth of these. */
const MAX_FIELDS = 1_000;
/** No number needs more bytes: a double has 17 digits and an exponent. */
const MAX_NUMBER_BYTES = 1_024;
/** Texts up to this many bytes stay in what is read. */
const SHORT_BYTES = 256;
const MAX_NAME_BYTES = 1_024;
/** After so many bytes without an escape the rest of a text is searched natively, which pays off from there on. */
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

/** Names that most bodies have, by their length and first letter: to compare one costs a third of reading it. */
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
 * Goes once through the bytes of a JSON object, before anything is built of it: finds the top-level fields and refuses what would take long to
 * read. Checks the structure of the top level and the nesting, not every value. Throws a 400 RelayError.
 */
export function scanBody(bytes: Buffer, limits: ScanLimits): ScannedObject {
  const scanned = new BodyScan(bytes, limits).goOn(Infinity);
  if (scanned === undefined) throw new Error("A scan without a bound did not come to its end.");
  return scanned;
}

/** No text is in hand. */
const NONE = -1;
/** The text in hand goes on beyond this part. */
const BEYOND = -2;

/** The same in parts, between which others may have their turn. */
export class BodyScan {
  readonly #bytes: Buffer;
  readonly #limits: ScanLimits;
  readonly #length: number;
  readonly #fields = new Map<string, FieldSpan>();
  readonly #cuts: Cut[] = [];
  readonly #isLarge: boolean;
  /** Undefined for short bodies. */
  readonly #pieceEnds: PieceEnds | undefined;
  #cutsTexts = false;
  #at = 0;
  #values = 0;
  #compounds = 0;
  #cutBytes = 0;
  /** Positions of the next quote and backslash as far as they were searched; both only grow, so that no byte is searched twice. */
  #nextQuote = -1;
  #nextBackslash = -1;
  /** Where this part ends, about. */
  #stop = 0;
  #isBegun = false;
  /** The field whose value is in hand, and where that begins. */
  #name = "";
  #valueStart = 0;
  /** Where the last text that came begins, and the last backslash in any. */
  #lastText = 0;
  #lastEscape = 0;
  /** How deep in the value it stands, and where the text in hand begins. */
  #depth = 0;
  #textStart = NONE;

  constructor(bytes: Buffer, limits: ScanLimits) {
    this.#bytes = bytes;
    this.#limits = limits;
    this.#length = bytes.length;
    this.#isLarge = bytes.length > limits.wholeBytes;
    this.#pieceEnds = this.#isLarge ? new PieceEnds(bytes, limits.pieceBytes) : undefined;
  }

  /** Goes on through about so many bytes; returns what was found at the end of the body, and undefined before. Throws a 400 RelayError. */
  goOn(mostBytes: number): ScannedObject | undefined {
    this.#stop = this.#at + mostBytes;
    if (!this.#isBegun && !this.#begin()) return this.#ended();
    while (this.#skipValue()) {
      this.#fields.set(this.#name, { start: this.#valueStart, end: this.#at });
      this.#skipSpace();
      const next = this.#bytes[this.#at];
      if (next === CLOSE_BRACE) return this.#ended();
      if (next !== COMMA) throw badBody(NO_OBJECT);
      this.#pieceEnds?.comma(0, this.#at, this.#cuts.length, this.#cutBytes);
      this.#at += 1;
      this.#skipSpace();
      this.#beginField();
    }
    return undefined;
  }

  /** False where the object has no field. */
  #begin(): boolean {
    this.#isBegun = true;
    this.#skipSpace();
    if (this.#take() !== OPEN_BRACE) throw badBody(NO_OBJECT);
    this.#skipSpace();
    if (this.#bytes[this.#at] === CLOSE_BRACE) return false;
    this.#beginField();
    return true;
  }

  /** Goes to where the field's value begins. */
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
    this.#cutsTexts = this.#isLarge && this.#limits.cutFields.has(name);
  }

  #ended(): ScannedObject {
    this.#at += 1;
    this.#skipSpace();
    if (this.#at < this.#length) throw badBody(NO_OBJECT);
    this.#checkOutline();
    return { fields: this.#fields, cuts: this.#cuts, pieceEnds: this.#pieceEnds?.found ?? [] };
  }

  #checkOutline(): void {
    const { outlineBytes } = this.#limits;
    if (this.#at - this.#cutBytes <= outlineBytes) return;
    const what = "structure, numbers, white space and short texts";
    throw badBody(`The body holds more than ${outlineBytes} bytes of ${what}. Send less at a time.`);
  }

  #take(): number | undefined {
    const byte = this.#bytes[this.#at];
    this.#at += 1;
    return byte;
  }

  /** White space that is more than a body may hold of it is not gone through to its end. */
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

  /** Skips the value in hand, with all that it holds. False: it goes on beyond this part. */
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
        pieceEnds?.comma(this.#depth, at, this.#cuts.length, this.#cutBytes);
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

  /** Skips a number, true, false or null. */
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

  /** Skips the text whose quote is here. False: it goes on beyond this part. */
  #beginText(): boolean {
    this.#at += 1;
    this.#textStart = this.#at;
    return this.#skipText();
  }

  /** Skips the text in hand, and cuts it where it is long. False: it goes on beyond this part. */
  #skipText(): boolean {
    const start = this.#textStart;
    const end = this.#endOfText(this.#at, this.#stop);
    if (end === BEYOND) return false;
    this.#at = end + 1;
    this.#textStart = NONE;
    if (end - start > SHORT_BYTES && this.#cutsTexts) this.#cut(start, end);
    return true;
  }

  /**
   * The last text was a name, whose colon is here. V8's parser takes a name with escapes for another one that it saw there before whose
   * letters are how this one's begin, escapes and all: a limit or a picture would be overlooked. So it is given no escapes that need not be.
   */
  #endName(depth: number): void {
    this.#pieceEnds?.colon(depth, this.#lastText, this.#at);
    if (this.#lastEscape <= this.#lastText || this.#cuts.at(-1)?.start === this.#lastText + 1) return;
    const start = this.#lastText + 1;
    const end = this.#endOfName(start);
    const name = JSON.stringify(unescape(this.#bytes.toString("utf8", start, end))).slice(1, -1);
    this.#cuts.push({ start, end, name });
  }

  /** Where the name that begins here and ends before the colon in hand has its closing quote. */
  #endOfName(start: number): number {
    const end = this.#bytes.lastIndexOf(QUOTE, this.#at);
    if (end < start) throw badBody(NO_OBJECT);
    return end;
  }

  /** The index of the closing quote of the text that goes on at `from`, or `BEYOND` where that is not found until `stop`, about. */
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
      // Where escapes stand close to each other, the native search does not pay off.
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

  /** Counts what a reader has to build. Short bodies cannot hold too much of it. */
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

  #cut(start: number, end: number): void {
    this.#cuts.push({ start, end, name: undefined });
    this.#cutBytes += end - start;
  }
}

/** Said of what is no JSON object. */
export const NO_OBJECT = "The body is not a valid JSON object. Send one with content-type application/json.";

/** A body that cannot be read: a 400 that says what is wrong with it, and names the field where there is one. */
export function badBody(message: string, field?: string): RelayError {
  const param = field === undefined ? {} : { param: show(field) };
  return new RelayError({ status: 400, type: "invalid_request_error", code: "invalid_json", message, ...param });
}

/** A name as an error can show it. */
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
  } catch {
    // Said below.
  }
  throw badBody(NO_OBJECT);
}
