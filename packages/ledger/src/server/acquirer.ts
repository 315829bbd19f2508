import { type Account, accountKey } from "../accounts.ts";
import { LedgerClosedError } from "../ledger.ts";
import type { Holder, Acquisition, AcquisitionOutcome } from "../storage/storage.ts";
import { pause } from "./pause.ts";
import type { Session } from "./session.ts";
import { freeOf, type Share, type ShareTable } from "./share-table.ts";

/**
 * Requests that a share is filled for. Four times as many if the last fill lasted less than SHORT_MS, a quarter if more than LONG_MS. A fill takes at
 * most a sixteenth of the pool.
 */
const LEAST_FILL = 16;
const MOST_FILL = 4_096;
const FILL_STEP = 4;
const SHORT_MS = 20_000;
const LONG_MS = 80_000;
/** More is acquired ahead once this part of a fill is left. */
const REFILL_PART = 1 / 4;
/** Most acquisitions of one statement: its lists are compared line by line. */
const MAX_ACQUISITIONS = 50;
/** Other servers return a scarce account within this time, in ms, or are not waited for. */
const RECLAIM_MS = 1_000;
const LOOK_MS = 20;
/** Upper bound of the time that returning leftovers of scarce accounts takes, in ms. */
const LEFTOVER_MS = 60;
/** After a reclaim, no more than needed is acquired for this time, in ms. */
const EXACT_MS = 1_000;
/** Leftovers of scarce accounts are collected for this time before they are returned, in ms. */
const RETURN_MS = 50;

/** After this time a caller may retry whose quota a silent server holds: by then that server is declared dead. */
export const RETRY_AFTER_SECONDS = 30;

export interface Need {
  readonly share: Share;
  /** In quota, beside what the share has reserved. */
  readonly amount: number;
}

export type Shortage =
  | { readonly short: readonly Account[]; readonly held?: undefined }
  /** Servers that do not answer hold a part of the missing quota. */
  | { readonly held: readonly Account[]; readonly short?: undefined };

interface PendingAcquisition {
  readonly needs: readonly Need[];
  readonly isExact: boolean;
  /** For later requests: also what the shares already cover is acquired again. */
  readonly isAhead: boolean;
  readonly take: () => void;
  readonly end: (error: unknown, outcome?: AcquisitionOutcome) => void;
}

/** Moves quota between the pool and this server's shares. */
export class Acquirer {
  readonly #session: Session;
  readonly #shares: ShareTable;
  readonly #isSilent: (ownerId: number) => boolean;
  #acquisitions: PendingAcquisition[] = [];
  #isSending = false;
  #returnTimer: NodeJS.Timeout | undefined;

  /** @param isSilent whether another server has not been heard of lately. */
  constructor(session: Session, shares: ShareTable, isSilent: (ownerId: number) => boolean) {
    this.#session = session;
    this.#shares = shares;
    this.#isSilent = isSilent;
  }

  /**
   * Acquires the missing quota of all accounts and calls `take` on arrival. Resolves to the shortage if the accounts do not cover it. One call per
   * user at a time; the account of a group's budget may be in several.
   */
  async acquire(needs: readonly Need[], take: () => void): Promise<Shortage | undefined> {
    const outcome = await this.#acquisition({ needs, take });
    if (outcome.short === undefined) return undefined;
    return this.#session.storage.isExclusive ? { short: outcome.short } : this.#acquireReclaimed(needs, take);
  }

  /** Acquires more ahead of requests like the one that the accounts have just covered. As `acquire`, one call for a user at a time. */
  async refill(needs: readonly Need[]): Promise<void> {
    for (const { share } of needs) share.refillBelow = 0;
    await this.#acquisition({ needs, take: ignore, isAhead: true });
  }

  /** Returns what this server holds of the accounts without a request that needs it. */
  async returnLeftovers(shares: readonly Share[]): Promise<void> {
    if (shares.length === 0) return;
    while (!(await this.#returnUnlessApplying(shares))) await this.#shares.whenApplied();
  }

  /** False during an apply, when memory does not know what a row has. */
  #returnUnlessApplying(shares: readonly Share[]): Promise<boolean> {
    return this.#session.onShares(async (owner) => {
      if (this.#shares.isApplying) return false;
      const returns = shares.map((share) => {
        const { kind, id, reserved, unapplied, isScarce } = share;
        const keep = Math.max(0, reserved + unapplied);
        if (keep < share.known || keep === 0) share.known = keep;
        return { kind, id, keep, isScarce };
      });
      await this.#session.storage.returnLeftovers(owner, returns);
      return true;
    });
  }

  /** Returns the unreserved quota of accounts that other servers need. */
  async answerReclaim(accounts: readonly Account[]): Promise<void> {
    const shares = accounts.map(({ kind, id }) => this.#shares.of(kind, id));
    for (const share of shares) share.isScarce = true;
    await this.returnLeftovers(shares);
  }

  /** Schedules the return of the unreserved quota of a scarce account. */
  noteLeftover(share: Share): void {
    if (!share.isScarce || this.#returnTimer !== undefined) return;
    this.#returnTimer = setTimeout(() => {
      this.#returnTimer = undefined;
      const left = [...this.#shares.all()].filter((other) => other.isScarce && freeOf(other) > 0);
      this.returnLeftovers(left).catch(ignore);
    }, RETURN_MS);
    this.#returnTimer.unref();
  }

  /**
   * Makes all servers return the unreserved quota of the accounts. For a second this server acquires no surplus.
   * Returns the accounts of which a silent server holds a part.
   */
  async reclaim(accounts: readonly Account[]): Promise<readonly Account[]> {
    const until = this.#session.clock.monotonicMs() + EXACT_MS;
    for (const { kind, id } of accounts) this.#shares.of(kind, id).exactUntil = until;
    return (await this.#reclaimShares(accounts)).filter(({ isScarce }) => !isScarce);
  }

  async #reclaimShares(accounts: readonly Account[]): Promise<readonly Holder[]> {
    const { storage } = this.#session;
    const shares = accounts.map(({ kind, id }) => this.#shares.of(kind, id));
    if (!storage.isExclusive) {
      await this.#session.onShares(() => storage.markScarce(accounts));
      for (const share of shares) share.isScarce = true;
    }
    await this.returnLeftovers(shares);
    return storage.isExclusive ? [] : this.#whenReturned(accounts);
  }

  async #acquireReclaimed(needs: readonly Need[], take: () => void): Promise<Shortage | undefined> {
    const holders = await this.#reclaimShares(needs.map(({ share: { kind, id } }) => ({ kind, id })));
    const silent = holders.filter(({ isScarce }) => !isScarce);
    for (let tries = 0; ; tries += 1) {
      const outcome = await this.#acquisition({ needs, take, isExact: true });
      if (outcome.short === undefined) return undefined;
      const missing = new Set(outcome.short.map(accountKey));
      const held = silent.filter((holder) => missing.has(accountKey(holder)));
      if (held.length > 0) return { held };
      if (tries === 1) return { short: outcome.short };
      await pause(LEFTOVER_MS);
    }
  }

  /** Waits until all other servers hold only what requests need. Returns those that still hold something. */
  async #whenReturned(accounts: readonly Account[]): Promise<readonly Holder[]> {
    const { clock, storage } = this.#session;
    const until = clock.monotonicMs() + RECLAIM_MS;
    for (;;) {
      const holders = await this.#session.onShares((owner) => storage.readHolders(owner, accounts));
      const awaited = holders.filter(({ isScarce, owner }) => !isScarce && !this.#isSilent(owner));
      if (awaited.length === 0 || clock.monotonicMs() >= until) return holders;
      await pause(LOOK_MS);
    }
  }

  #acquisition(
    wanted: Pick<PendingAcquisition, "needs" | "take"> & Partial<PendingAcquisition>,
  ): Promise<AcquisitionOutcome> {
    return new Promise((resolve, reject) => {
      const end: PendingAcquisition["end"] = (error, outcome) => {
        if (outcome === undefined) reject(error instanceof Error ? error : new LedgerClosedError());
        else resolve(outcome);
      };
      this.#acquisitions.push({ isExact: false, isAhead: false, ...wanted, end });
      if (this.#isSending) return;
      this.#isSending = true;
      setImmediate(() => void this.#send());
    });
  }

  async #send(): Promise<void> {
    while (this.#acquisitions.length > 0) {
      const acquisitions = this.#takeSeparate();
      if (acquisitions.length === 0) continue;
      try {
        const outcomes = await this.#session.onShares((owner) =>
          this.#session.storage.acquire(
            owner,
            acquisitions.map((acquisition) => this.#write(acquisition)),
          ),
        );
        for (const [index, { take, end }] of acquisitions.entries()) {
          const outcome = outcomes[index];
          if (outcome?.granted !== undefined) {
            for (const { amount, isScarce, ...account } of outcome.granted) this.#receive(account, amount, isScarce);
            take();
          }
          end(undefined, outcome);
        }
      } catch (error) {
        for (const { end } of acquisitions) end(error);
      }
    }
    this.#isSending = false;
  }

  /**
   * Takes pending acquisitions of which no two share an account, since a statement changes each row once. Ends those
   * that earlier ones of the same accounts have covered.
   */
  #takeSeparate(): PendingAcquisition[] {
    const [taken, left]: [PendingAcquisition[], PendingAcquisition[]] = [[], []];
    const accounts = new Set<number>();
    for (const pending of this.#acquisitions) {
      const { isAhead, take, end } = pending;
      const needs = isAhead ? pending.needs : pending.needs.filter(({ share, amount }) => freeOf(share) < amount);
      const keys = needs.map(({ share }) => accountKey(share));
      if (keys.length === 0) {
        take();
        end(undefined, { granted: [] });
      } else if (taken.length === MAX_ACQUISITIONS || keys.some((key) => accounts.has(key))) left.push(pending);
      else {
        taken.push({ ...pending, needs });
        for (const key of keys) accounts.add(key);
      }
    }
    this.#acquisitions = left;
    return taken;
  }

  #write({ needs, isExact }: PendingAcquisition): Acquisition {
    const now = this.#session.clock.monotonicMs();
    return needs.map(({ share, amount }) => {
      // Of a scarce account the pool gives no more than is needed, unless it has plenty again.
      const isBounded = isExact || share.exactUntil > now;
      const { kind, id } = share;
      const want = isBounded ? 0 : nextFill(share, now) * Math.max(1, amount);
      return { kind, id, need: Math.max(0, amount - freeOf(share)), want };
    });
  }

  #receive(account: Account, amount: number, isScarce: boolean): void {
    const share = this.#shares.of(account.kind, account.id);
    share.known += amount;
    share.isScarce = isScarce;
    share.isUsed = true;
    const isAhead = !isScarce && !this.#session.storage.isExclusive;
    share.refillBelow = isAhead ? Math.floor(amount * REFILL_PART) : 0;
  }
}

/** Returns for how many requests a share is filled now. Others need a scarce account: it is filled for few. */
function nextFill(share: Share, now: number): number {
  const sinceMs = now - share.filledAt;
  share.filledAt = now;
  if (share.isScarce || share.fill === 0) share.fill = LEAST_FILL;
  else if (sinceMs < SHORT_MS) share.fill = Math.min(MOST_FILL, share.fill * FILL_STEP);
  else if (sinceMs > LONG_MS) share.fill = Math.max(LEAST_FILL, share.fill / FILL_STEP);
  return share.fill;
}

function ignore(): void {}
