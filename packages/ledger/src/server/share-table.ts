import { type Account, ACCOUNT_KIND, type AccountKind } from "../accounts.ts";
import type { StoredShare } from "../storage/storage.ts";

/** This server's part of an account, in memory. What it may reserve is `known - unapplied - reserved`. */
export interface Share extends Account {
  /** At most what the row has. Lowered before a return is sent, raised after an acquire was answered. */
  known: number;
  /** Charges in the journal that are not subtracted from the row yet. A refund counts once it is applied. */
  unapplied: number;
  /** The part of `unapplied` that is under way in an apply. */
  applying: number;
  /** Upper bounds of running requests. */
  reserved: number;
  /** Others need the account: nothing is held without a request that needs it. */
  isScarce: boolean;
  /** Reserved or charged since the last look for idle shares. */
  isUsed: boolean;
  /** Nothing more than needed is acquired until then, by the monotonic clock, in ms: an administrator is changing the account. */
  exactUntil: number;
  /** Number of requests that the last acquire was for, and its time by the monotonic clock, in ms. */
  fill: number;
  filledAt: number;
  /** More is acquired ahead once less than this is free; 0 for never. */
  refillBelow: number;
}

/** Unreserved quota; below zero for a budget that was charged beyond its reservation. */
export function freeOf({ known, unapplied, reserved }: Share): number {
  return known - unapplied - reserved;
}

/** The shares of one server. An account that has none starts with nothing known. */
export class ShareTable {
  readonly #byKind: Record<AccountKind, Map<number, Share>> = {
    [ACCOUNT_KIND.user]: new Map(),
    [ACCOUNT_KIND.token]: new Map(),
    [ACCOUNT_KIND.budget]: new Map(),
  };
  /** Shares with charges that no apply has been sent for. */
  #charged: Share[] = [];
  #applying: Share[] = [];
  #isApplying = false;
  #applied: Promise<void> = Promise.resolve();

  of(kind: AccountKind, id: number): Share {
    const shares = this.#byKind[kind];
    let share = shares.get(id);
    if (share === undefined) {
      share = {
        kind,
        id,
        known: 0,
        unapplied: 0,
        applying: 0,
        reserved: 0,
        isScarce: false,
        isUsed: true,
        exactUntil: 0,
        fill: 0,
        filledAt: 0,
        refillBelow: 0,
      };
      shares.set(id, share);
    }
    return share;
  }

  get({ kind, id }: Account): Share | undefined {
    return this.#byKind[kind].get(id);
  }

  *all(): Generator<Share> {
    for (const shares of Object.values(this.#byKind)) yield* shares.values();
  }

  get size(): number {
    return this.#byKind[ACCOUNT_KIND.user].size;
  }

  figures(kind: AccountKind): { readonly count: number; readonly free: number } {
    const shares = this.#byKind[kind];
    let free = 0;
    for (const share of shares.values()) free += Math.max(0, freeOf(share));
    return { count: shares.size, free };
  }

  /** Notes a charge that is committed. */
  charge(share: Share, amount: number): void {
    if (share.unapplied === share.applying) this.#charged.push(share);
    share.unapplied += amount;
    share.isUsed = true;
  }

  /**
   * Applies all noted charges. Memory is updated after the last of its statements. Rejects if a statement fails; the next apply covers its charges
   * again.
   */
  apply(statements: () => Promise<void>): Promise<void> {
    this.#applied = this.#apply(statements);
    return this.#applied;
  }

  /** True while rows may have less than memory. */
  get isApplying(): boolean {
    return this.#isApplying;
  }

  /** Resolves once no apply is running, after success or failure. */
  async whenApplied(): Promise<void> {
    await this.#applied.catch(() => undefined);
  }

  /** Replaces memory by the state of the rows after everything was applied. Reservations stay. */
  replace(stored: readonly StoredShare[]): void {
    for (const share of this.all()) {
      share.known = 0;
      share.unapplied = 0;
      share.applying = 0;
    }
    this.#charged = [];
    this.#applying = [];
    for (const { kind, id, remaining, isScarce } of stored) {
      const share = this.of(kind, id);
      share.known = remaining;
      share.isScarce = isScarce;
    }
  }

  clear(): void {
    for (const shares of Object.values(this.#byKind)) shares.clear();
    this.#charged = [];
    this.#applying = [];
  }

  drop({ kind, id }: Account): void {
    this.#byKind[kind].delete(id);
  }

  async #apply(statements: () => Promise<void>): Promise<void> {
    this.#applying = [...this.#applying, ...this.#charged];
    this.#charged = [];
    for (const share of this.#applying) share.applying = share.unapplied;
    this.#isApplying = true;
    try {
      await statements();
      for (const share of this.#applying) {
        share.known -= share.applying;
        share.unapplied -= share.applying;
        share.applying = 0;
      }
      this.#applying = [];
    } finally {
      this.#isApplying = false;
    }
  }
}
