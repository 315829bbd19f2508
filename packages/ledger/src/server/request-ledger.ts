import { accountKey } from "../accounts.ts";
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
import type { FoundEntry } from "../storage/storage.ts";
import { Checkpoints } from "./checkpoints.ts";
import { Corrections } from "./corrections.ts";
import {
  chargeRow,
  chargeShares,
  checkpointRow,
  covers,
  findShares,
  mostOf,
  type NotedRequest,
  type Paid,
  raiseHeld,
  releaseIn,
  type RequestShares,
  reserveIn,
  type RunningRequest,
  sharesOf,
  toFreeRow,
} from "./request.ts";
import { RunningRequests } from "./running-requests.ts";
import type { Settled } from "./session.ts";
import type { Settler } from "./settler.ts";
import { freeOf } from "./share-table.ts";
import { NO_WINDOWS, RESERVED, type WaitingParts, WaitingReservations } from "./waiting-reservations.ts";

const NOTHING: SettleOutcome = { settled: false, charged: 0 };
const RELEASED: SettleOutcome = { settled: true, charged: 0 };

/** Upper bound of a reservation, about $35 million in quota: sums of a group stay exact. */
const MOST_RESERVED = 2 ** 44;

export interface ServerParts extends WaitingParts {
  readonly settler: Settler;
}

/** Reservations and settlements of one server; README.md says how. */
export class RequestLedger {
  readonly #parts: ServerParts;
  readonly #running = new RunningRequests<RunningRequest>();
  readonly #corrections: Corrections;
  readonly #waiting: WaitingReservations;
  readonly #checkpoints: Checkpoints;
  /** Requests whose release failed, as their checkpoint could not be deleted. */
  #unreleased: string[] = [];

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.#checkpoints = new Checkpoints(parts.session);
    this.#corrections = new Corrections(parts);
    this.#waiting = new WaitingReservations(parts, (reservation, shares) => this.#hold(reservation, shares));
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
    if (!this.#parts.session.mayReserve || this.#waiting.has(userId)) return this.#waiting.reserve(reservation);
    const windows = budgets === undefined ? NO_WINDOWS : this.#parts.windows.known(budgets, createdAt);
    if (windows === undefined) return this.#waiting.reserve(reservation);
    const shares = findShares(this.#parts.shares, reservation, windows);
    if (!covers(shares, amount)) return this.#waiting.reserve(reservation);
    this.#hold(reservation, shares);
    this.#waiting.refillAhead(userId, shares, amount);
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
    this.#waiting.acquireEach(reservation.userId, needs).then(
      () => (this.#isRunning(request) ? book() : done(undefined, NOTHING)),
      (error: unknown) => {
        if (this.#isRunning(request)) request.state = "open";
        done(toError(error), undefined);
      },
    );
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

interface Booking {
  readonly done: SettleCallback;
  readonly isLate: (() => boolean) | undefined;
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
