/** Position and kind of an error in a text of ratios; lines and columns count from 1. */
export interface RatiosProblem {
  /**
   * `syntax`: invalid JSON from there on. `number`: no number within the bounds. `twice`: a second entry of the name.
   * `name`: empty, or one that programs trip over.
   */
  readonly kind: "syntax" | "object" | "number" | "twice" | "name";
  readonly line: number;
  readonly column: number;
  readonly name: string;
}

export type ParsedRatios =
  | { readonly entries: ReadonlyMap<string, number> }
  | { readonly entries: undefined; readonly problem: RatiosProblem };

interface RatioBounds {
  readonly min: number;
  readonly max: number;
}

const SPACE = /[\t\n\r ]*/y;
const STRING = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Other JSON values in place of a number: a text, a literal, the beginning of a list or an object. */
const OTHER_VALUE = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|true|false|null|[[{]/uy;

class RatiosError extends Error {
  readonly kind: RatiosProblem["kind"];
  readonly at: number;
  readonly entry: string;

  constructor(kind: RatiosProblem["kind"], at: number, entry = "") {
    super(kind);
    this.kind = kind;
    this.at = at;
    this.entry = entry;
  }
}

/**
 * Parses a JSON object of names and numbers. An empty text is an empty object. Unlike JSON.parse it locates the problem
 * and refuses duplicate names.
 */
export function parseRatios(text: string, bounds: RatioBounds): ParsedRatios {
  if (text.trim() === "") return { entries: new Map() };
  try {
    return { entries: new RatiosReader(text, bounds).read() };
  } catch (error) {
    if (!(error instanceof RatiosError)) throw error;
    return { entries: undefined, problem: { kind: error.kind, name: error.entry, ...placeOf(text, error.at) } };
  }
}

class RatiosReader {
  readonly #text: string;
  readonly #bounds: RatioBounds;
  readonly #entries = new Map<string, number>();
  #at = 0;

  constructor(text: string, bounds: RatioBounds) {
    this.#text = text;
    this.#bounds = bounds;
  }

  read(): ReadonlyMap<string, number> {
    this.#take(SPACE);
    if (!this.#takeSign("{")) throw new RatiosError(isOtherJson(this.#text) ? "object" : "syntax", this.#at);
    this.#take(SPACE);
    if (!this.#takeSign("}")) this.#readEntries();
    this.#take(SPACE);
    if (this.#at < this.#text.length) throw new RatiosError("syntax", this.#at);
    return this.#entries;
  }

  #readEntries(): void {
    do {
      this.#readEntry();
      this.#take(SPACE);
    } while (this.#takeSign(","));
    if (!this.#takeSign("}")) throw new RatiosError("syntax", this.#at);
  }

  #readEntry(): void {
    this.#take(SPACE);
    const at = this.#at;
    const literal = this.#take(STRING);
    if (literal === undefined) throw new RatiosError("syntax", at);
    const name = readString(literal);
    if (name.trim() === "" || name === "__proto__") throw new RatiosError("name", at, name);
    if (this.#entries.has(name)) throw new RatiosError("twice", at, name);
    this.#take(SPACE);
    if (!this.#takeSign(":")) throw new RatiosError("syntax", this.#at, name);
    this.#take(SPACE);
    this.#entries.set(name, this.#readRatio(name));
  }

  #readRatio(name: string): number {
    const at = this.#at;
    const literal = this.#take(NUMBER);
    if (literal === undefined)
      throw new RatiosError(this.#take(OTHER_VALUE) === undefined ? "syntax" : "number", at, name);
    const ratio = Number(literal);
    if (!(ratio >= this.#bounds.min && ratio <= this.#bounds.max)) throw new RatiosError("number", at, name);
    return ratio;
  }

  #take(token: RegExp): string | undefined {
    token.lastIndex = this.#at;
    const found = token.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #takeSign(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }
}

function readString(literal: string): string {
  const value: unknown = JSON.parse(literal);
  return typeof value === "string" ? value : "";
}

function isOtherJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function placeOf(text: string, at: number): { line: number; column: number } {
  const lines = text.slice(0, at).split("\n");
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

/** Writes ratios as indented JSON, empty for none. Numbers have no exponent if possible. */
export function formatRatios(entries: ReadonlyMap<string, number>): string {
  if (entries.size === 0) return "";
  const lines = [...entries].map(([name, ratio]) => `  ${JSON.stringify(name)}: ${String(ratio)}`);
  return `{\n${lines.join(",\n")}\n}`;
}

export const RATIO_KEYS = ["ModelRatio", "CompletionRatio", "GroupRatio"] as const;

export type RatioKey = (typeof RATIO_KEYS)[number];

export const PRICE_KEYS = [...RATIO_KEYS, "ModelPrices"] as const;

export type PriceKey = (typeof PRICE_KEYS)[number];

export const OPTION_RATIOS = { min: 0, max: 1_000_000 } as const;

/** Ratio of an unknown model: $60 per million tokens, above all known prices. */
export const UNKNOWN_MODEL_RATIO = 30;
