/** Unused buffers that the pool retains, in bytes: two of the longest bodies. */
const MAX_SPARE_BYTES = 64 * 1024 * 1024;
const SPARE_MS = 10_000;

/** Reuses buffers of long bodies. New memory costs more than reading a body: the system zeroes it, and it triggers full collections. */
export class BufferPool {
  #spares: ArrayBuffer[] = [];
  #spareBytes = 0;
  #forgetting: NodeJS.Timeout | undefined;

  /** Returns a buffer with arbitrary content. Its memory has at most twice the length. */
  take(bytes: number): Buffer {
    const at = this.#spares.findIndex(({ byteLength }) => byteLength >= bytes && byteLength <= bytes * 2);
    const spare = this.#spares[at];
    if (spare === undefined) return Buffer.allocUnsafeSlow(bytes);
    this.#spares.splice(at, 1);
    this.#spareBytes -= spare.byteLength;
    return Buffer.from(spare, 0, bytes);
  }

  /** The buffer must not be read again. */
  put({ buffer }: Buffer): void {
    if (!(buffer instanceof ArrayBuffer)) return;
    this.#spareBytes += buffer.byteLength;
    this.#spares.push(buffer);
    while (this.#spareBytes > MAX_SPARE_BYTES) this.#forgetOldest();
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
