/** Room that one holder has among all. */
export interface ByteClaim {
  /** Takes room for so many bytes more. False: the holder must wait until it is told to go on. */
  take(bytes: number): boolean;
  /** Gives everything back; again changes nothing. */
  release(): void;
}

/**
 * Room in memory for what waits there, shared by everybody. Beyond it one holder goes on and the others wait, so that whoever has begun comes
 * to its end and nobody waits for nobody: at the most the room and one holder's bytes are taken.
 */
export class ByteBudget {
  readonly #bytes: number;
  #taken = 0;
  #goesOn: object | undefined;
  readonly #waiting = new Map<object, () => void>();

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** A holder's room, none at first. `goOn` is called when it may take more after it had to wait. */
  claim(goOn: () => void): ByteClaim {
    const holder = {};
    let held = 0;
    return {
      take: (bytes) => {
        held += bytes;
        this.#taken += bytes;
        if (this.#taken <= this.#bytes) return true;
        this.#goesOn ??= holder;
        if (this.#goesOn === holder) return true;
        this.#waiting.set(holder, goOn);
        return false;
      },
      release: () => {
        this.#taken -= held;
        held = 0;
        this.#waiting.delete(holder);
        if (this.#goesOn === holder) this.#goesOn = undefined;
        this.#wake();
      },
    };
  }

  #wake(): void {
    for (const [holder, goOn] of this.#waiting) {
      if (this.#taken > this.#bytes) {
        if (this.#goesOn !== undefined) return;
        this.#goesOn = holder;
      }
      this.#waiting.delete(holder);
      goOn();
    }
  }
}
