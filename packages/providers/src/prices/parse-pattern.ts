/**
 * Grammar of patterns in price lists, a subset of JavaScript's regular expressions:
 *
 * | form | meaning |
 * |---|---|
 * | `a`, `\.`, `.` | this character, the escaped sign, any character |
 * | `[a-z_]`, `[^/]`, `\d` `\w` `\s` `\D` `\W` `\S` | one character of a set |
 * | `x*` `x+` `x?` `x{2}` `x{2,}` `x{2,5}` | repetition of a character, a set or a group |
 * | `ab`, `a\|b`, `(…)`, `(?:…)` | sequence, choice, group |
 * | `^`, `$` | start and end of the name |
 * | `^(?!…)`, `^(?=…)` | condition on the start of the name, directly behind the first `^` |
 *
 * Everything else is refused: back references, look-behind, conditions elsewhere, word boundaries, Unicode classes.
 */
export type PatternNode =
  | { readonly kind: "character"; readonly accepts: Accepts }
  | { readonly kind: "start" | "end" }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly options: readonly PatternNode[] }
  | { readonly kind: "repeat"; readonly part: PatternNode; readonly least: number; readonly most: number };

type Accepts = (code: number) => boolean;

interface ParsedPattern {
  readonly conditions: readonly { readonly negated: boolean; readonly node: PatternNode }[];
  readonly body: PatternNode;
}

export class PatternError extends Error {
  override name = "PatternError";
}

export function parsePattern(text: string): ParsedPattern {
  if (text === "") throw new PatternError("is empty");
  return new Parser(text).parse();
}

const MAX_COUNT = 100;

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): ParsedPattern {
    const conditions: { negated: boolean; node: PatternNode }[] = [];
    const isAnchored = this.#take("^");
    while (isAnchored && (this.#peek("(?!") || this.#peek("(?="))) {
      const negated = this.#take("(?!") || !this.#take("(?=");
      conditions.push({ negated, node: this.#group() });
    }
    const body = this.#choice(isAnchored ? [{ kind: "start" }] : []);
    if (this.#at < this.#text.length) throw new PatternError("has a ) without its (");
    if (conditions.length > 0 && body.kind === "choice")
      throw new PatternError("has a condition beside a choice that no group encloses");
    return { conditions, body };
  }

  #peek(sign: string): boolean {
    return this.#text.startsWith(sign, this.#at);
  }

  #take(sign: string): boolean {
    const isThere = this.#peek(sign);
    if (isThere) this.#at += sign.length;
    return isThere;
  }

  #group(): PatternNode {
    const node = this.#choice([]);
    if (!this.#take(")")) throw new PatternError("has a ( without its )");
    return node;
  }

  #choice(before: readonly PatternNode[]): PatternNode {
    const options = [this.#sequence(before)];
    while (this.#take("|")) options.push(this.#sequence([]));
    const [only] = options;
    return only !== undefined && options.length === 1 ? only : { kind: "choice", options };
  }

  #sequence(before: readonly PatternNode[]): PatternNode {
    const parts = [...before];
    while (this.#at < this.#text.length && !this.#peek("|") && !this.#peek(")")) parts.push(this.#item());
    return { kind: "sequence", parts };
  }

  #item(): PatternNode {
    if (this.#take("^")) return { kind: "start" };
    if (this.#take("$")) return { kind: "end" };
    const part = this.#part();
    const count = this.#count();
    // A lazy repetition matches the same names.
    if (count !== undefined) this.#take("?");
    if (this.#peek("*") || this.#peek("+") || this.#peek("?") || this.#peek("{"))
      throw new PatternError("has a repetition of nothing");
    return count === undefined ? part : { kind: "repeat", part, ...count };
  }

  #part(): PatternNode {
    if (this.#take("(?:")) return this.#group();
    if (this.#peek("(?"))
      throw new PatternError("has a group that is neither ( nor (?: nor a condition behind the first ^");
    if (this.#take("(")) return this.#group();
    if (this.#take("[")) return { kind: "character", accepts: this.#set() };
    if (this.#take(".")) return { kind: "character", accepts: (code) => code !== 10 && code !== 13 };
    if (this.#take("\\")) return { kind: "character", accepts: this.#escape() };
    return { kind: "character", accepts: is(this.#sign("*+?{}]")) };
  }

  #sign(refused: string): number {
    const sign = this.#text[this.#at];
    if (sign === undefined) throw new PatternError("ends too early");
    if (refused.includes(sign)) throw new PatternError(`has a ${sign} that needs a \\ before it`);
    this.#at += 1;
    return sign.charCodeAt(0);
  }

  #escape(): Accepts {
    const sign = this.#text[this.#at] ?? "";
    const known = CLASSES[sign];
    if (known === undefined) return is(this.#escapedSign());
    this.#at += 1;
    return known;
  }

  #escapedSign(): number {
    const code = this.#sign("");
    if (isWord(code)) throw new PatternError(`has an unknown escape, \\${String.fromCharCode(code)}`);
    return code;
  }

  #set(): Accepts {
    const negated = this.#take("^");
    const members: Accepts[] = [];
    while (!this.#take("]")) members.push(this.#member());
    return (code) => members.some((accepts) => accepts(code)) !== negated;
  }

  #member(): Accepts {
    if (this.#take("\\")) {
      const isClass = CLASSES[this.#text[this.#at] ?? ""] !== undefined;
      if (isClass) return this.#escape();
      return this.#range(this.#escapedSign());
    }
    return this.#range(this.#sign("["));
  }

  #range(from: number): Accepts {
    if (!this.#peek("-") || this.#peek("-]")) return is(from);
    this.#at += 1;
    const to = this.#take("\\") ? this.#escapedSign() : this.#sign("[");
    if (to < from) throw new PatternError("has a range whose end comes before its start");
    return (code) => code >= from && code <= to;
  }

  #count(): { least: number; most: number } | undefined {
    if (this.#take("*")) return { least: 0, most: Infinity };
    if (this.#take("+")) return { least: 1, most: Infinity };
    if (this.#take("?")) return { least: 0, most: 1 };
    const found = /^\{(\d{1,3})(,(\d{1,3})?)?\}/.exec(this.#text.slice(this.#at, this.#at + 10));
    if (found === null) return undefined;
    this.#at += found[0].length;
    const least = Number(found[1]);
    const most = found[2] === undefined ? least : found[3] === undefined ? Infinity : Number(found[3]);
    if (least > MAX_COUNT || (most !== Infinity && most > MAX_COUNT) || most < least)
      throw new PatternError(`has a count that is not from 0 to ${MAX_COUNT}`);
    return { least, most };
  }
}

const is =
  (wanted: number): Accepts =>
  (code) =>
    code === wanted;
const isDigit: Accepts = (code) => code >= 48 && code <= 57;
const isWord: Accepts = (code) =>
  isDigit(code) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);
const isSpace: Accepts = (code) => /\s/.test(String.fromCharCode(code));

const CLASSES: Readonly<Record<string, Accepts>> = {
  d: isDigit,
  w: isWord,
  s: isSpace,
  D: (code) => !isDigit(code),
  W: (code) => !isWord(code),
  S: (code) => !isSpace(code),
};
