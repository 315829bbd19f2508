const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const PLACEHOLDER_BYTES = 64;

export interface FieldSpan {
  readonly start: number;
  readonly end: number;
}

interface OpenContainer {
  readonly isList: boolean;
  readonly name: FieldSpan | undefined;
}

/** A comma at which the body can be parsed in two pieces, and its containers except the body. */
export interface PieceEnd {
  readonly at: number;
  readonly open: readonly OpenContainer[];
}

/** Finds commas at which a long body can be parsed in pieces, during a scan. */
export class PieceEnds {
  readonly found: PieceEnd[] = [];
  readonly #bytes: Buffer;
  readonly #pieceBytes: number;
  /** Start of the container at each depth. The body has depth 0. */
  readonly #starts: number[] = [];
  readonly #names: FieldSpan[] = [];
  #due: number;

  constructor(bytes: Buffer, pieceBytes: number) {
    this.#bytes = bytes;
    this.#pieceBytes = pieceBytes;
    this.#due = pieceBytes;
  }

  colon(depth: number, start: number, end: number): void {
    this.#names[depth] = { start, end };
  }

  opened(depth: number, at: number): void {
    this.#starts[depth] = at;
  }

  /** Records a comma. `elided` and `elidedBytes` count the texts elided before it. */
  comma(depth: number, at: number, elided: number, elidedBytes: number): void {
    const outlineAt = at - elidedBytes + elided * PLACEHOLDER_BYTES;
    if (outlineAt < this.#due || !this.#isBetweenValues(at)) return;
    this.found.push({ at, open: this.#openAt(depth) });
    this.#due = outlineAt + this.#pieceBytes;
  }

  /** A comma without a value on either side is an error that parsing in pieces would not detect. */
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
