export interface AccountUse {
  readonly userId: number;
  held: number;
}

/** Idle accounts are forgotten beyond this number. */
const MOST_IDLE_SHARES = 1_024;

/** Upper bound of memory, shared fairly: an account may hold at most `timesLeft` times the bytes that are left. */
export class AccountMemory {
  readonly #bytes: number;
  readonly #timesLeft: number;
  #taken = 0;
  /** Frequent accounts keep their entry, as a Map with many insertions and deletions is rehashed constantly. */
  readonly #shares = new Map<number, AccountUse>();
  #mostShares = MOST_IDLE_SHARES;

  /** `timesLeft`: with 1 a single account gets half of the memory, with 2 two thirds. */
  constructor(bytes: number, timesLeft = 1) {
    this.#bytes = bytes;
    this.#timesLeft = timesLeft;
  }

  get taken(): number {
    return this.#taken;
  }

  /** The account's share. Do not keep it while nothing is held. */
  shareOf(userId: number): AccountUse {
    const known = this.#shares.get(userId);
    if (known !== undefined) return known;
    if (this.#shares.size >= this.#mostShares) this.#forgetIdle();
    const share = { userId, held: 0 };
    this.#shares.set(userId, share);
    return share;
  }

  /** Reserves bytes for the account. Returns false and reserves nothing if the account would exceed its share. */
  take(share: AccountUse, bytes: number): boolean {
    this.add(share, bytes);
    if (this.isWithin(share)) return true;
    this.add(share, -bytes);
    return false;
  }

  /** Adds or subtracts bytes without a check. */
  add(share: AccountUse, bytes: number): void {
    share.held += bytes;
    this.#taken += bytes;
  }

  isWithin({ held }: AccountUse): boolean {
    return held <= this.#timesLeft * (this.#bytes - this.#taken);
  }

  #forgetIdle(): void {
    for (const [userId, { held }] of this.#shares) if (held === 0) this.#shares.delete(userId);
    this.#mostShares = Math.max(MOST_IDLE_SHARES, this.#shares.size * 2);
  }
}
