export interface AccountUse {
  readonly userId: number;
  bytes: number;
}

const MIN_KNOWN_ACCOUNTS = 1_024;

/** Memory that accounts share: each may use up to a multiple of the free bytes, so a newcomer always finds some free. */
export class AccountMemory {
  readonly #bytes: number;
  readonly #freeMultiple: number;
  #taken = 0;
  /** Entries of idle accounts stay, since a Map that gains and loses entries is rebuilt all the time. */
  readonly #uses = new Map<number, AccountUse>();
  #maxKnown = MIN_KNOWN_ACCOUNTS;

  /** `freeMultiple`: how many times the free bytes one account may use. With 1 it gets half of the memory alone, with 2 two thirds. */
  constructor(bytes: number, freeMultiple = 1) {
    this.#bytes = bytes;
    this.#freeMultiple = freeMultiple;
  }

  get taken(): number {
    return this.#taken;
  }

  useOf(userId: number): AccountUse {
    const known = this.#uses.get(userId);
    if (known !== undefined) return known;
    if (this.#uses.size >= this.#maxKnown) this.#forgetIdle();
    const use = { userId, bytes: 0 };
    this.#uses.set(userId, use);
    return use;
  }

  /** Takes bytes for the account. False if that exceeds its limit: then nothing is taken. */
  take(use: AccountUse, bytes: number): boolean {
    this.add(use, bytes);
    if (this.isWithin(use)) return true;
    this.add(use, -bytes);
    return false;
  }

  add(use: AccountUse, bytes: number): void {
    use.bytes += bytes;
    this.#taken += bytes;
  }

  isWithin({ bytes }: AccountUse): boolean {
    return bytes <= this.#freeMultiple * (this.#bytes - this.#taken);
  }

  #forgetIdle(): void {
    for (const [userId, { bytes }] of this.#uses) if (bytes === 0) this.#uses.delete(userId);
    this.#maxKnown = Math.max(MIN_KNOWN_ACCOUNTS, this.#uses.size * 2);
  }
}
