import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import { type Account, accountKey } from "../accounts.ts";
import type {
  Checkpoint,
  FreeLogRow,
  Payer,
  Reservation,
  ReserveOutcome,
  SettleCallback,
  Settlement,
  SettleOutcome,
} from "../ledger.ts";
import { type FoundEntry, StaleEpochError } from "../storage.ts";
import { type Acquirer, type Need, RETRY_AFTER_SECONDS, type Shortage } from "./acquirer.ts";
import { type BudgetWindows, budgetRefusal } from "./budget-windows.ts";
import { Checkpoints } from "./checkpoints.ts";
import { Corrections } from "./corrections.ts";
import {
  chargeRow,
  chargeShares,
  checkpointRow,
  covers,
  findShares,
  isLow,
  mostOf,
  needsOf,
  type NotedRequest,
  type Paid,
  raiseHeld,
  releaseIn,
  type RequestShares,
  reserveIn,
  type RequestWindow,
  type RunningRequest,
  sharesOf,
  toFreeRow,
} from "./request.ts";
import { RunningRequests } from "./running-requests.ts";
import type { Session, Settled } from "./session.ts";
import type { Settler } from "./settler.ts";
import { freeOf, type ShareTable } from "./share-table.ts";

const RESERVED: ReserveOutcome = { ok: true };
const NOTHING: SettleOutcome = { settled: false, charged: 0 };
const RELEASED: SettleOutcome = { settled: true, charged: 0 };
const NO_WINDOWS: readonly RequestWindow[] = [];

/** Upper bound of a reservation, about $35 million in quota: sums of a group stay exact. */
const MOST_RESERVED = 2 ** 44;

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

export interface ServerParts {
  readonly session: Session;
  readonly shares: ShareTable;
  readonly settler: Settler;
  readonly acquirer: Acquirer;
  readonly windows: BudgetWindows;
}

/** Reservations and settlements of one server; README.md says how. */
export class RequestLedger {
  readonly #parts: ServerParts;
  readonly #running = new RunningRequests<RunningRequest>();
  readonly #corrections: Corrections;
  /** The last reservation of a user that waits for quota: they wait in turn. */
  readonly #lines = new Map<number, Promise<unknown>>();
  /** Users for whom more is being acquired ahead. */
  readonly #refills = new Map<number, Promise<void>>();
  /** The last refusal of each user whose reservations wait. */
  readonly #refusals = new Map<number, SharedRefusal>();
  /** Reservations that have waited so far. */
  #arrivals = 0;
  readonly #checkpoints: Checkpoints;
  /** Requests whose release failed, as their checkpoint could not be deleted. */
  #unreleased: string[] = [];

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.#checkpoints = new Checkpoints(parts.session);
    this.#corrections = new Corrections(parts);
  }

  get open(): number {
    return this.#running.size;
  }

  /** Requests whose charge may or may not be in the journal. */
  doubtful(): string[] {
    const doubtful: string[] = [];
    for (const { state, reservation } of this.#running.all())
      if (state === "doubt" || state === "settling") doubtful.push(reservation.requestId);
    return doubtful;
  }

  /** Continues from the database's state after doubt: shares equal their rows, and found charges are booked. */
  settled({ found, shares }: Settled): void {
    this.#parts.shares.replace(shares);
    for (const request of this.#running.all()) {
      if (request.state !== "doubt") continue;
      request.entry = found.get(request.reservation.requestId);
      request.state = request.entry === undefined ? "open" : "booked";
      if (request.state === "booked") releaseIn(request);
    }
  }

  /** Drops all reservations. The server that declared this one dead charges its checkpoints. */
  fenced(found: ReadonlyMap<string, FoundEntry>): void {
    for (const request of this.#running.all()) {
      request.entry = found.get(request.reservation.requestId) ?? request.entry;
      request.state = "fenced";
      if (request.entry !== undefined) this.#corrections.keep(request);
    }
    this.#running.clear();
    this.#parts.shares.clear();
    this.#parts.windows.forget();
    this.#parts.settler.drop();
    this.#checkpoints.forget();
    this.#unreleased = [];
  }

  reserve(reservation: Reservation): ReserveOutcome | Promise<ReserveOutcome> {
    if (reservation.amount > MOST_RESERVED) return { ok: false, refusal: "user-quota" };
    const { userId, amount, budgets, createdAt } = reservation;
    if (this.#running.has(reservation.requestId))
      throw new Error(`Request ${reservation.requestId} has reserved already.`);
    if (!this.#parts.session.mayReserve || this.#lines.has(userId)) return this.#reserveInLine(reservation);
    const windows = budgets === undefined ? NO_WINDOWS : this.#parts.windows.known(budgets, createdAt);
    if (windows === undefined) return this.#reserveInLine(reservation);
    const shares = findShares(this.#parts.shares, reservation, windows);
    if (!covers(shares, amount)) return this.#reserveInLine(reservation);
    this.#hold(reservation, shares);
    this.#refillAhead(userId, shares, amount);
    return RESERVED;
  }

  settle(settlement: Settlement, done: SettleCallback, isLate?: () => boolean): void {
    const request = this.#running.get(settlement.requestId);
    if (request === undefined) return this.#corrections.correctEnded(settlement, done);
    if (request.state === "settling") return done(undefined, NOTHING);
    if (request.state === "doubt") {
      this.#parts.session.live().then(
        () => this.settle(settlement, done, isLate),
        (error: unknown) => done(toError(error), undefined),
      );
      return;
    }
    if (request.state === "booked")
      return this.#corrections.correct(request, settlement, (error, outcome) => {
        // After an error it is asked for again, which may be after a long outage.
        if (error === undefined && this.#isRunning(request)) this.#end(request);
        done(error, outcome);
      });
    if (settlement.charge === undefined && settlement.log === undefined) return this.#releaseSettled(request, done);
    this.#charge(request, settlement, done, isLate);
  }

  /** A checkpoint may be charged until it is deleted, so its quota stays reserved until then. */
  release({ requestId }: { readonly requestId: string }): void {
    const request = this.#running.get(requestId);
    if (request === undefined || request.state !== "open") return;
    this.#releaseSettled(request, (error) => {
      if (error !== undefined) this.#unreleased.push(requestId);
    });
  }

  async checkpoint(checkpoints: readonly Checkpoint[]): Promise<void> {
    const noted = checkpoints.flatMap((checkpoint): NotedRequest[] => {
      const request = this.#running.get(checkpoint.requestId);
      if (request === undefined || request.state !== "open") return [];
      request.isNoted = true;
      return [{ request, row: checkpointRow(request, checkpoint) }];
    });
    if (noted.length === 0) return;
    // A request that ends before the statement is sent has none.
    await this.#checkpoints.store(() => noted.filter(({ request }) => this.#isRunning(request)).map(({ row }) => row));
  }

  async forgetEnded(): Promise<void> {
    for (const requestId of this.#unreleased.splice(0)) this.release({ requestId });
    await this.#checkpoints.flush();
  }

  /** Resolves once no settlement and no correction is running. */
  async drained(): Promise<void> {
    for (;;) {
      await this.#parts.settler.idle();
      if (this.#corrections.isIdle) return;
      await this.#corrections.idle();
    }
  }

  async writeLogs(rows: readonly FreeLogRow[]): Promise<void> {
    await this.#parts.session.storage.writeLogs(rows.map(toFreeRow));
  }

  async available(payer: Payer, time: number): Promise<number> {
    const { session, windows } = this.#parts;
    await session.live();
    const opened = payer.budgets === undefined ? NO_WINDOWS : await windows.open(payer.budgets, time);
    const shares = sharesOf(findShares(this.#parts.shares, payer, opened));
    const pools = await session.onShares(() => session.storage.readPools(shares));
    return Math.max(0, Math.min(...shares.map((share) => (pools.get(accountKey(share)) ?? 0) + freeOf(share))));
  }

  #hold(reservation: Reservation, shares: RequestShares): void {
    this.#running.set(reservation.requestId, {
      reservation,
      shares,
      held: reserveIn(shares, reservation.amount),
      state: "open",
      isNoted: false,
      wasInDoubt: false,
      entry: undefined,
    });
  }

  /** Reservations of one user that wait for quota are served in turn. */
  #reserveInLine(reservation: Reservation): Promise<ReserveOutcome> {
    const arrival = { number: (this.#arrivals += 1), failedAttempts: this.#parts.session.failedAttempts };
    return this.#inLine(reservation.userId, () => this.#reserveSlowly(reservation, arrival));
  }

  /** Acquires more before requests have to wait for it. Reservations that are covered continue meanwhile. */
  #refillAhead(userId: number, shares: RequestShares, amount: number): void {
    if (!isLow(shares.user) && !isLow(shares.token) && !shares.windows.some(({ share }) => isLow(share))) return;
    if (this.#refills.has(userId)) return;
    const low = sharesOf(shares).filter(isLow);
    const refill = this.#parts.acquirer.refill(low.map((share) => ({ share, amount }))).then(ignore, ignore);
    this.#refills.set(userId, refill);
    void refill.then(() => this.#refills.delete(userId));
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

  /** Books what the shares cover of the charge. A charge above its reservation acquires the rest first. */
  #charge(
    request: RunningRequest,
    settlement: Settlement,
    done: SettleCallback,
    isLate: (() => boolean) | undefined,
  ): void {
    const { shares, reservation, held } = request;
    const { charge = 0 } = settlement;
    request.state = "settling";
    const book = (): void => {
      const user = Math.min(charge, mostOf(shares.user, held.user));
      const token = shares.token === undefined ? 0 : Math.min(user, mostOf(shares.token, held.token));
      this.#append(request, settlement, { user, token }, { done, isLate });
    };
    if (charge <= mostOf(shares.user, held.user) && charge <= mostOf(shares.token, held.token)) return book();
    const needs = [{ share: shares.user, amount: charge - held.user }];
    if (shares.token !== undefined) needs.push({ share: shares.token, amount: charge - held.token });
    this.#inLine(reservation.userId, () => this.#acquireEach(needs)).then(
      () => (this.#isRunning(request) ? book() : done(undefined, NOTHING)),
      (error: unknown) => {
        if (this.#isRunning(request)) request.state = "open";
        done(toError(error), undefined);
      },
    );
  }

  /** Acquires the missing quota of each account, or all that its pool has. */
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

  #append(request: RunningRequest, settlement: Settlement, paid: Paid, { done, isLate }: Booking): void {
    const row = chargeRow(settlement, paid, { owner: this.#parts.session.owner.id, shares: request.shares });
    raiseHeld(request, paid);
    this.#parts.settler.add(row, (error) => {
      if (!this.#isRunning(request)) return done(undefined, NOTHING);
      if (error !== undefined) {
        // A refused row is certainly not in the journal.
        request.state = this.#parts.session.isLive ? "open" : "doubt";
        request.wasInDoubt = true;
        return done(error, undefined);
      }
      chargeShares(this.#parts.shares, request.shares, paid);
      this.#end(request);
      if (request.wasInDoubt || isLate?.() === true) this.#corrections.keep(request);
      done(undefined, { settled: true, charged: paid.user });
    });
  }

  /** A checkpoint must be deleted before the caller learns that nothing is charged. */
  #releaseSettled(request: RunningRequest, done: SettleCallback): void {
    if (!request.isNoted) {
      this.#end(request);
      return done(undefined, RELEASED);
    }
    request.state = "settling";
    const { requestId } = request.reservation;
    const deleted = this.#checkpoints.store(() => [], [requestId]);
    deleted.then(
      () => {
        if (!this.#isRunning(request)) return done(undefined, NOTHING);
        request.isNoted = false;
        this.#end(request);
        done(undefined, RELEASED);
      },
      (error: unknown) => {
        if (this.#isRunning(request)) request.state = "open";
        done(toError(error), undefined);
      },
    );
  }

  #isRunning(request: RunningRequest): boolean {
    return this.#running.get(request.reservation.requestId) === request;
  }

  #end(request: RunningRequest): void {
    const { reservation, shares } = request;
    this.#running.delete(reservation.requestId);
    if (request.isNoted) this.#checkpoints.end(reservation.requestId);
    if (request.state !== "booked") releaseIn(request);
    for (const share of sharesOf(shares)) this.#parts.acquirer.noteLeftover(share);
  }
}

/** Start of a reservation's wait: numbers of earlier reservations, and of failed attempts to reach the database. */
interface Arrival {
  readonly number: number;
  readonly failedAttempts: number;
}

interface Booking {
  readonly done: SettleCallback;
  readonly isLate: (() => boolean) | undefined;
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function ignore(): void {}
