/** Length of the stored and counted sample, in bytes or letters; of the rest only the length is stored. */
const SAMPLE_LENGTH = 32 * 1024;

type CountText = (text: string) => number;

/**
 * Counts the delivered text of streams without a usage report. Stores a sample from the beginning unread and extrapolates on demand, so time
 * and memory are bounded.
 */
export class DeliveredText<Piece extends { readonly length: number }> {
  readonly #readText: (pieces: Piece) => string;
  readonly #countText: CountText;
  readonly #beginningOf: (piece: Piece, length: number) => Piece;
  #kept: Piece[] = [];
  #sampleLength = 0;
  #length = 0;
  #counted = 0;

  /** `readText` returns the text that pieces add to the answer. `beginningOf` may truncate a long piece to about a length, to save memory. */
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

  tokens(): number {
    if (this.#kept.length > 0) {
      this.#counted += this.#countText(this.#kept.map(this.#readText).join(""));
      this.#kept = [];
    }
    const scale = this.#sampleLength === 0 ? 1 : this.#length / this.#sampleLength;
    return Math.ceil(this.#counted * scale);
  }
}
