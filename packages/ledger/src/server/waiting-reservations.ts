import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import { type Account, accountKey } from "../accounts.ts";
import type { Reservation, ReserveOutcome } from "../ledger.ts";
import { StaleEpochError } from "../storage/storage.ts";
import { type Acquirer, type Need, RETRY_AFTER_SECONDS, type Shortage } from "./acquirer.ts";
import { type BudgetWindows, budgetRefusal } from "./budget-windows.ts";
import { covers, findShares, isLow, needsOf, type RequestShares, type RequestWindow, sharesOf } from "./request.ts";
import type { Session } from "./session.ts";
import { freeOf, type ShareTable } from "./share-table.ts";

export const RESERVED: ReserveOutcome = { ok: true };
export const NO_WINDOWS: readonly RequestWindow[] = [];

/** A refusal, for all reservations that waited for the same quota at that moment. */
interface SharedRefusal {
  readonly arrivals: number;
  readonly amount: number;
  /** Accounts that did not cover the amount, by `accountKey`. */
  readonly short: readonly number[];
  readonly outcome: ReserveOutcome;
}

/** Attempts of a request that finds its granted quota taken, before it gives up. */
const MOST_TRIES = 20;

/** Start of a reservation's wait: numbers of earlier reservations, and of failed attempts to reach the database. */
interface Arrival {
  readonly number: number;
  readonly failedAttempts: number;
}

export interface WaitingParts {
  readonly session: Session;
  readonly shares: ShareTable;
  readonly acquirer: Acquirer;
  readonly windows: BudgetWindows;
}

/** Reservations that the shares do not cover, and those behind them: a user's requests wait for quota in turn. */
export class WaitingReservations {
  readonly #parts: WaitingParts;
  readonly #hold: (reservation: Reservation, shares: RequestShares) => void;
  /** The last reservation of a user that waits for quota: they wait in turn. */
  readonly #lines = new Map<number, Promise<unknown>>();
  /** Users for whom more is being acquired ahead. */
  readonly #refills = new Map<number, Promise<void>>();
  /** The last refusal of each user whose reservations wait. */
  readonly #refusals = new Map<number, SharedRefusal>();
  /** Reservations that have waited so far. */
  #arrivals = 0;

  /** @param hold reserves the quota; the shares cover it. */
  constructor(parts: WaitingParts, hold: (reservation: Reservation, shares: RequestShares) => void) {
    this.#parts = parts;
    this.#hold = hold;
  }

  /** True while reservations of the user wait: later ones wait behind them. */
  has(userId: number): boolean {
    return this.#lines.has(userId);
  }

  /** Reservations of one user that wait for quota are served in turn. */
  reserve(reservation: Reservation): Promise<ReserveOutcome> {
    const arrival = { number: (this.#arrivals += 1), failedAttempts: this.#parts.session.failedAttempts };
    return this.#inLine(reservation.userId, () => this.#reserveSlowly(reservation, arrival));
  }

  /** Acquires more before requests have to wait for it. Reservations that are covered continue meanwhile. */
  refillAhead(userId: number, shares: RequestShares, amount: number): void {
    if (!isLow(shares.user) && !isLow(shares.token) && !shares.windows.some(({ share }) => isLow(share))) return;
    if (this.#refills.has(userId)) return;
    const low = sharesOf(shares).filter(isLow);
    const refill = this.#parts.acquirer.refill(low.map((share) => ({ share, amount }))).then(ignore, ignore);
    this.#refills.set(userId, refill);
    void refill.then(() => this.#refills.delete(userId));
  }

  /** Acquires the missing quota of each account of a user, or all that its pool has. */
  acquireEach(userId: number, needs: readonly Need[]): Promise<void> {
    return this.#inLine(userId, () => this.#acquireEach(needs));
  }

  #inLine<Result>(userId: number, work: () => Promise<Result>): Promise<Result> {
    const before = this.#lines.get(userId) ?? this.#refills.get(userId) ?? Promise.resolve();
    const result = before.then(work);
    const line = result.then(ignore, ignore).then(() => {
      if (this.#lines.get(userId) !== line) return;
      this.#lines.delete(userId);
      this.#refusals.delete(userId);
    });
    this.#lines.set(userId, line);
    return result;
  }

  async #reserveSlowly(reservation: Reservation, arrival: Arrival): Promise<ReserveOutcome> {
    const { session, windows } = this.#parts;
    const { budgets = [], createdAt } = reservation;
    const deadlineMs = session.clock.monotonicMs() + session.outageWaitMs;
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      await session.ready(arrival.failedAttempts);
      try {
        const opened = windows.known(budgets, createdAt) ?? (await windows.open(budgets, createdAt));
        const outcome = session.mayReserve ? await this.#tryToReserve(reservation, opened, arrival) : undefined;
        if (outcome !== undefined) return outcome;
      } catch (error) {
        // Doubt has begun: it ends once the database has reported the effect of the statement.
        const mayWait = error instanceof DatabaseUnavailableError && session.clock.monotonicMs() < deadlineMs;
        if (!mayWait && !(error instanceof StaleEpochError)) throw error;
      }
    }
    return { ok: false, refusal: "held-elsewhere", retryAfterSeconds: 1 };
  }

  /** Undefined if the granted quota was taken meanwhile. */
  async #tryToReserve(
    reservation: Reservation,
    windows: readonly RequestWindow[],
    arrival: Arrival,
  ): Promise<ReserveOutcome | undefined> {
    const { userId, amount } = reservation;
    const shares = findShares(this.#parts.shares, reservation, windows);
    let isHeld = false;
    const take = (): void => {
      isHeld ||= this.#reserveIfCovered(reservation, shares);
    };
    take();
    if (isHeld) return RESERVED;
    const refused = this.#sharedRefusal(reservation, shares, arrival);
    if (refused !== undefined) return refused;
    const shortage = await this.#parts.acquirer.acquire(needsOf(shares, amount), take);
    if (isHeld) return RESERVED;
    if (shortage === undefined) return undefined;
    const arrivals = this.#arrivals;
    const outcome = await this.#refuse(shares, shortage);
    const short = (shortage.short ?? shortage.held).map(accountKey);
    this.#refusals.set(userId, { arrivals, amount, short, outcome });
    return outcome;
  }

  /** The refusal of an earlier reservation that needed no more of the same accounts, while this one waited. */
  #sharedRefusal({ userId, amount }: Reservation, shares: RequestShares, arrival: Arrival): ReserveOutcome | undefined {
    const refusal = this.#refusals.get(userId);
    if (refusal === undefined || arrival.number > refusal.arrivals || amount < refusal.amount) return undefined;
    const own = new Set(sharesOf(shares).map(accountKey));
    return refusal.short.every((key) => own.has(key)) ? refusal.outcome : undefined;
  }

  #reserveIfCovered(reservation: Reservation, shares: RequestShares): boolean {
    if (!this.#parts.session.mayReserve || !covers(shares, reservation.amount)) return false;
    this.#hold(reservation, shares);
    return true;
  }

  async #refuse(shares: RequestShares, shortage: Shortage): Promise<ReserveOutcome> {
    if (shortage.short === undefined)
      return { ok: false, refusal: "held-elsewhere", retryAfterSeconds: RETRY_AFTER_SECONDS };
    const isShort = (account: Account): boolean =>
      shortage.short.some((other) => other.kind === account.kind && other.id === account.id);
    if (isShort(shares.user)) return { ok: false, refusal: "user-quota" };
    const window = shares.windows.find(({ share }) => isShort(share));
    if (window === undefined || (shares.token !== undefined && isShort(shares.token)))
      return { ok: false, refusal: "token-quota" };
    const { session } = this.#parts;
    const pools = await session.onShares(() => session.storage.readPools([window.share]));
    return { ok: false, ...budgetRefusal(window, (pools.get(accountKey(window.share)) ?? 0) + freeOf(window.share)) };
  }

  async #acquireEach(needs: readonly Need[]): Promise<void> {
    const { acquirer, session } = this.#parts;
    for (const need of needs) {
      let shortage: Shortage | undefined;
      for (let tries = 0; shortage === undefined && freeOf(need.share) < need.amount && tries < MOST_TRIES; tries += 1)
        shortage = await acquirer.acquire([need], ignore);
      if (shortage === undefined) continue;
      const pools = await session.onShares(() => session.storage.readPools([need.share]));
      const left = pools.get(accountKey(need.share)) ?? 0;
      if (left > 0) await acquirer.acquire([{ ...need, amount: left + Math.max(0, freeOf(need.share)) }], ignore);
    }
  }
}

function ignore(): void {}
