/** Without another body the memory of the last one is kept for so long, in ms. */
const SPARE_MS = 10_000;

/**
 * Memory for long bodies. Memory that is new takes the system about a ms for each MiB when it is first written, and the collector goes through all
 * the heap for every 64 MiB that nobody has given back: beside long bodies that are refused, both together took more than reading them.
 */
export class BodyMemory {
  #spare: ArrayBuffer | undefined;
  #forgetting: NodeJS.Timeout | undefined;

  /** Returns so many bytes, in which anything may stand. */
  take(bytes: number): Buffer {
    const spare = this.#spare;
    if (spare === undefined || spare.byteLength < bytes || spare.byteLength > bytes * 2)
      return Buffer.allocUnsafeSlow(bytes);
    this.#spare = undefined;
    return Buffer.from(spare, 0, bytes);
  }

  /** Takes back what came from here, and what nobody looks at any more. */
  giveBack({ buffer }: Buffer): void {
    if (!(buffer instanceof ArrayBuffer)) return;
    const other = this.#spare;
    const isLonger = other === undefined || other.byteLength < buffer.byteLength;
    if (isLonger) this.#spare = buffer;
    free(isLonger ? other : buffer);
    clearTimeout(this.#forgetting);
    this.#forgetting = setTimeout(() => this.#forget(), SPARE_MS).unref();
  }

  #forget(): void {
    free(this.#spare);
    this.#spare = undefined;
  }
}

/** Gives the memory of a piece back that nobody looks at any more, unless it is a part of something larger. */
export function freePiece({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) free(buffer);
}

function free(buffer: ArrayBuffer | undefined): void {
  buffer?.transfer(0);
}
