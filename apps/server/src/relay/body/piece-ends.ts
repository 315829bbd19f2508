const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** What stands for a cut text takes so many bytes, about. */
const CUT_TEXT_BYTES = 64;

/** Where a piece of a body stands: its first byte and the byte after its last. */
export interface FieldSpan {
  readonly start: number;
  readonly end: number;
}

/** A container that is open where a piece ends. */
interface OpenContainer {
  readonly isList: boolean;
  /** Its name with the colon, as it stands in the body; undefined in a list, whose last item it is. */
  readonly name: FieldSpan | undefined;
}

/** A comma at which the body can be parsed in two pieces, and the containers in which it stands, without the body itself. */
export interface PieceEnd {
  readonly at: number;
  readonly open: readonly OpenContainer[];
}

/** Finds commas at which a long body can be parsed piece by piece, while a scan goes through it. */
export class PieceEnds {
  readonly found: PieceEnd[] = [];
  readonly #bytes: Buffer;
  readonly #pieceBytes: number;
  /** Where the container of each depth begins; the body has depth 0. */
  readonly #starts: number[] = [];
  /** The name that was read last in the object of each depth, as far as it is one. */
  readonly #names: FieldSpan[] = [];
  #due: number;

  constructor(bytes: Buffer, pieceBytes: number) {
    this.#bytes = bytes;
    this.#pieceBytes = pieceBytes;
    this.#due = pieceBytes;
  }

  /** A name begins at `start`, and its colon is at `end`. */
  colon(depth: number, start: number, end: number): void {
    this.#names[depth] = { start, end };
  }

  /** A container begins, and what is in it has this depth. */
  opened(depth: number, at: number): void {
    this.#starts[depth] = at;
  }

  /** A comma between what has this depth, so much cut away before it. */
  comma(depth: number, at: number, cuts: number, cutBytes: number): void {
    const outlineAt = at - cutBytes + cuts * CUT_TEXT_BYTES;
    if (outlineAt < this.#due || !this.#isBetweenValues(at)) return;
    this.found.push({ at, open: this.#openAt(depth) });
    this.#due = outlineAt + this.#pieceBytes;
  }

  /** Without a value on one of its sides a comma is wrong, which would not be seen any more where it ends a piece. */
  #isBetweenValues(comma: number): boolean {
    const bytes = this.#bytes;
    let before = comma - 1;
    while (isSpace(bytes[before])) before -= 1;
    let after = comma + 1;
    while (isSpace(bytes[after])) after += 1;
    const [last, next] = [bytes[before], bytes[after]];
    return (
      last !== OPEN_BRACKET && last !== OPEN_BRACE && last !== COMMA && next !== CLOSE_BRACKET && next !== CLOSE_BRACE
    );
  }

  #openAt(depth: number): OpenContainer[] {
    const open: OpenContainer[] = [];
    let isInList = false;
    for (let at = 1; at <= depth; at += 1) {
      const isList = this.#bytes[this.#starts[at] ?? 0] === OPEN_BRACKET;
      open.push({ isList, name: isInList ? undefined : this.#names[at - 1] });
      isInList = isList;
    }
    return open;
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
