const NOTHING = Buffer.alloc(0);

/**
 * Beginning of a stream's next event. Memory doubles as it fills, so each byte is copied a constant number of times. It is private, so no long
 * chunk is retained.
 */
export class HeldBytes {
  #memory: Buffer = NOTHING;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Returns the stored bytes followed by the chunk; the chunk itself where none are stored. */
  with(chunk: Buffer): Buffer {
    if (this.#length === 0) return chunk;
    const length = this.#length + chunk.length;
    // Most events end in their second chunk, so joining both is cheaper than growing memory.
    if (length > this.#memory.length) return Buffer.concat([this.#held, chunk]);
    chunk.copy(this.#memory, this.#length);
    return this.#memory.subarray(0, length);
  }

  /** Stores the bytes from `start` on, of those that `with` returned. The caller owns the bytes before. */
  copyFrom(bytes: Buffer, start: number): void {
    const goesOn = start === 0 && this.#length > 0;
    this.#length = bytes.length - start;
    if (goesOn && this.#length <= this.#memory.length) return;
    this.#memory = this.#length === 0 ? NOTHING : Buffer.allocUnsafeSlow(goesOn ? 2 * this.#length : this.#length);
    bytes.copy(this.#memory, 0, start);
  }

  release(): Buffer {
    const bytes = this.#held;
    this.#memory = NOTHING;
    this.#length = 0;
    return bytes;
  }

  get #held(): Buffer {
    return this.#length === this.#memory.length ? this.#memory : this.#memory.subarray(0, this.#length);
  }
}
