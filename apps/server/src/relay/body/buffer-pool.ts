/** So much memory of bodies is kept for the next ones, in bytes: two of the longest. */
const MOST_SPARE_BYTES = 64 * 1024 * 1024;
/** Without another body it is kept for so long, in ms. */
const SPARE_MS = 10_000;

/**
 * Memory for long bodies. Memory that is new has to be cleared by the system when it is first written, and memory that nobody has given back makes
 * the collector go through all the heap, some ten MiB being enough: beside long bodies, both together took more than reading them.
 */
export class BufferPool {
  #spares: ArrayBuffer[] = [];
  #spareBytes = 0;
  #forgetting: NodeJS.Timeout | undefined;

  /** Returns so many bytes, in which anything may stand. They lie in memory of twice the length at the most. */
  take(bytes: number): Buffer {
    const at = this.#spares.findIndex(({ byteLength }) => byteLength >= bytes && byteLength <= bytes * 2);
    const spare = this.#spares[at];
    if (spare === undefined) return Buffer.allocUnsafeSlow(bytes);
    this.#spares.splice(at, 1);
    this.#spareBytes -= spare.byteLength;
    return Buffer.from(spare, 0, bytes);
  }

  /** Takes back what came from here and nobody looks at any more. */
  giveBack({ buffer }: Buffer): void {
    if (!(buffer instanceof ArrayBuffer)) return;
    this.#spareBytes += buffer.byteLength;
    this.#spares.push(buffer);
    while (this.#spareBytes > MOST_SPARE_BYTES) this.#forgetOldest();
    clearTimeout(this.#forgetting);
    this.#forgetting = setTimeout(() => this.#forgetAll(), SPARE_MS).unref();
  }

  #forgetOldest(): void {
    const oldest = this.#spares.shift();
    this.#spareBytes -= oldest?.byteLength ?? 0;
    oldest?.transfer(0);
  }

  #forgetAll(): void {
    while (this.#spares.length > 0) this.#forgetOldest();
  }
}
