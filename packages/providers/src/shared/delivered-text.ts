/** Text kept before it is counted, in bytes: the memory that a stream may take for this. */
const KEPT_BYTES = 64 * 1024;

/** Counts the model tokens of a text. */
type CountText = (text: string) => number;

/**
 * Counts what a stream has delivered, for streams that end without the provider's own count. What passes is kept unread and counted by the
 * bufferful, so that a stream which reports its usage costs next to nothing and a long one takes no more memory than a short one.
 */
export class DeliveredText<Piece extends { readonly length: number }> {
  readonly #readText: (pieces: Piece) => string;
  readonly #countText: CountText;
  #kept: Piece[] = [];
  #keptLength = 0;
  #counted = 0;

  /** `readText` returns the text that a piece adds to the answer. */
  constructor(readText: (piece: Piece) => string, countText: CountText) {
    this.#readText = readText;
    this.#countText = countText;
  }

  add(piece: Piece): void {
    this.#kept.push(piece);
    this.#keptLength += piece.length;
    if (this.#keptLength > KEPT_BYTES) this.tokens();
  }

  /** Model tokens delivered so far, as counted here. */
  tokens(): number {
    if (this.#kept.length > 0) {
      this.#counted += this.#countText(this.#kept.map(this.#readText).join(""));
      this.#kept = [];
      this.#keptLength = 0;
    }
    return this.#counted;
  }
}
