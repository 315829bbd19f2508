/** What one account holds of a room. */
export interface AccountUse {
  readonly userId: number;
  /** In bytes. */
  held: number;
}

/** So many accounts are remembered before those that hold nothing are forgotten. */
const MOST_IDLE_SHARES = 1_024;

/**
 * Room in memory that accounts share, whatever waits in it: no account holds more than a few times of what is left for all others. So one alone has
 * most of it, and whoever comes while others hold as much as they can still finds room.
 */
export class AccountMemory {
  readonly #bytes: number;
  readonly #timesLeft: number;
  #taken = 0;
  /** An account that comes again and again has one entry that stays: a Map that gains and loses entries is made anew all the time. */
  readonly #shares = new Map<number, AccountUse>();
  #mostShares = MOST_IDLE_SHARES;

  /** `timesLeft`: how many times of what is left an account may hold; with 1 it has half of the room alone, with 2 two thirds. */
  constructor(bytes: number, timesLeft = 1) {
    this.#bytes = bytes;
    this.#timesLeft = timesLeft;
  }

  /** Bytes that are held by everybody. */
  get taken(): number {
    return this.#taken;
  }

  /** The account's share, to be kept only as long as something is held of it. */
  shareOf(userId: number): AccountUse {
    const known = this.#shares.get(userId);
    if (known !== undefined) return known;
    if (this.#shares.size >= this.#mostShares) this.#forgetIdle();
    const share = { userId, held: 0 };
    this.#shares.set(userId, share);
    return share;
  }

  /** Takes so many bytes for the account. False: it holds too much already, and nothing is taken. */
  take(share: AccountUse, bytes: number): boolean {
    this.add(share, bytes);
    if (this.isWithin(share)) return true;
    this.add(share, -bytes);
    return false;
  }

  /** Counts so many bytes more, or less, whether there is room for them or not. */
  add(share: AccountUse, bytes: number): void {
    share.held += bytes;
    this.#taken += bytes;
  }

  /** True while the account holds no more than it may. */
  isWithin({ held }: AccountUse): boolean {
    return held <= this.#timesLeft * (this.#bytes - this.#taken);
  }

  #forgetIdle(): void {
    for (const [userId, { held }] of this.#shares) if (held === 0) this.#shares.delete(userId);
    this.#mostShares = Math.max(MOST_IDLE_SHARES, this.#shares.size * 2);
  }
}
