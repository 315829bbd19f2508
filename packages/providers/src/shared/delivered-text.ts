/** So much of what passes is kept and counted, in bytes or letters; of what comes after only the length is known. */
const SAMPLE_LENGTH = 32 * 1024;

/** Counts the model tokens of a text. */
type CountText = (text: string) => number;

/**
 * Counts what a stream has delivered, for streams that end without the provider's own count. What passes first is kept unread until somebody
 * asks; a longer stream is taken to go on as it began. So a stream that reports its usage costs next to nothing, a long one no more memory than
 * a short one, and none more than one short count.
 */
export class DeliveredText<Piece extends { readonly length: number }> {
  readonly #readText: (pieces: Piece) => string;
  readonly #countText: CountText;
  readonly #beginningOf: (piece: Piece, length: number) => Piece;
  #kept: Piece[] = [];
  #sampleLength = 0;
  #length = 0;
  #counted = 0;

  /**
   * `readText` returns the text that a piece adds to the answer. `beginningOf` may cut a piece down that is longer than needed, to about a
   * length, so that not all of it stays in memory.
   */
  constructor(
    readText: (piece: Piece) => string,
    countText: CountText,
    beginningOf: (piece: Piece, length: number) => Piece = (piece) => piece,
  ) {
    this.#readText = readText;
    this.#countText = countText;
    this.#beginningOf = beginningOf;
  }

  add(piece: Piece): void {
    this.#length += piece.length;
    const needed = SAMPLE_LENGTH - this.#sampleLength;
    if (needed <= 0) return;
    const kept = piece.length > needed ? this.#beginningOf(piece, needed) : piece;
    this.#sampleLength += kept.length;
    this.#kept.push(kept);
  }

  /** Model tokens delivered so far, as counted here. */
  tokens(): number {
    if (this.#kept.length > 0) {
      this.#counted += this.#countText(this.#kept.map(this.#readText).join(""));
      this.#kept = [];
    }
    const scale = this.#sampleLength === 0 ? 1 : this.#length / this.#sampleLength;
    return Math.ceil(this.#counted * scale);
  }
}
