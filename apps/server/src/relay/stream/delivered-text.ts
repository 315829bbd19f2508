/** Raw events kept before they are counted, in bytes: the memory that a stream may take for this. */
const KEPT_BYTES = 64 * 1024;

/** Counts the model tokens of a text. */
export type CountText = (text: string) => number;

/**
 * Counts what a stream has delivered, for streams that end without the provider's own count. Events are kept unread and counted by the
 * bufferful, so that a stream which reports its usage costs next to nothing and a long one takes no more memory than a short one.
 */
export class DeliveredText {
  readonly #readText: (events: Buffer) => string;
  readonly #countText: CountText;
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #counted = 0;

  /** `readText` returns the text that whole events add to the answer. */
  constructor(readText: (events: Buffer) => string, countText: CountText) {
    this.#readText = readText;
    this.#countText = countText;
  }

  add(events: Buffer): void {
    this.#kept.push(events);
    this.#keptBytes += events.length;
    if (this.#keptBytes > KEPT_BYTES) this.tokens();
  }

  /** Model tokens delivered so far, as counted here. */
  tokens(): number {
    if (this.#kept.length > 0) {
      this.#counted += this.#countText(this.#kept.map(this.#readText).join(""));
      this.#kept = [];
      this.#keptBytes = 0;
    }
    return this.#counted;
  }
}
