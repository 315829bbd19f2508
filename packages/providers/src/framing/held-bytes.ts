const NOTHING = Buffer.alloc(0);

/**
 * The beginning of a stream's next event. Its memory doubles as it fills, so that an event in many chunks is copied a constant number of times.
 * The memory is its own: neither a long chunk nor one that others share stays for the sake of its last bytes.
 */
export class HeldBytes {
  #memory: Buffer = NOTHING;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Returns what is held with the chunk behind it; the chunk itself where nothing is held. */
  with(chunk: Buffer): Buffer {
    if (this.#length === 0) return chunk;
    const length = this.#length + chunk.length;
    // Most events end in their second chunk: the join of both is theirs, and memory that grows would be spent on nothing.
    if (length > this.#memory.length) return Buffer.concat([this.#held, chunk]);
    chunk.copy(this.#memory, this.#length);
    return this.#memory.subarray(0, length);
  }

  /** Holds the bytes from `start` on, of those that `with` has returned. The bytes before belong to the caller. */
  keepFrom(bytes: Buffer, start: number): void {
    const goesOn = start === 0 && this.#length > 0;
    this.#length = bytes.length - start;
    if (goesOn && this.#length <= this.#memory.length) return;
    this.#memory = this.#length === 0 ? NOTHING : Buffer.allocUnsafeSlow(goesOn ? 2 * this.#length : this.#length);
    bytes.copy(this.#memory, 0, start);
  }

  /** Returns what is held, and holds nothing any more. */
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
