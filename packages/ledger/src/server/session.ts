import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import type { LedgerClock } from "../clock.ts";
import { LedgerClosedError } from "../ledger.ts";
import { type FoundEntry, type Owner, StaleEpochError, type Storage, type StoredShare } from "../storage/storage.ts";
import { SerialQueue } from "./serial-queue.ts";
import { pause } from "./pause.ts";

/** Time after an answered heartbeat in which a server may reserve, in ms: half of the time after which others declare it dead. */
const FRESH_MS = 15_000;

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** The database has less than it has acknowledged: an older backup was restored while this server ran. */
export class DatabaseIsOlderError extends Error {
  override name = "DatabaseIsOlderError";

  constructor() {
    super("The database is older than this server: a backup was restored while it ran. Restart the server.");
  }
}

/** The server's rows in the database, read after doubt. */
export interface Settled {
  /** Entries of the requests in doubt, by request id. */
  readonly found: ReadonlyMap<string, FoundEntry>;
  readonly shares: readonly StoredShare[];
}

export interface SessionEvents {
  doubtful(): readonly string[];
  settled(settled: Settled): void;
  /** Others have declared this server dead: what it had reserved is gone. `found` are the entries of requests in doubt. */
  fenced(found: ReadonlyMap<string, FoundEntry>): void;
  /** The state of this process is no longer valid. */
  outdated(error: DatabaseIsOlderError): void;
}

/**
 * A server's standing in the database.
 *
 * | condition | meaning                                                              | leads to       |
 * |-----------|----------------------------------------------------------------------|----------------|
 * | new       | not registered                                                       | live           |
 * | live      | statements run                                                       | doubt, closed  |
 * | doubt     | a statement has no answer; the epoch is being raised                 | live, closed   |
 * | closed    | nothing runs                                                         | –              |
 *
 * A server that was declared dead finds that out in doubt: it registers as a new owner, and is live again with nothing reserved.
 */
export class Session {
  readonly storage: Storage;
  readonly clock: LedgerClock;
  /** Length of doubt in which reservations wait, in ms. 0 refuses after the first failed attempt. */
  readonly outageWaitMs: number;
  /** The last id of the journal that the database has acknowledged. */
  acknowledgedId = 0;
  /** The last id of the journal that is subtracted from this server's shares. */
  appliedId = 0;
  readonly #events: SessionEvents;
  readonly #journal = new SerialQueue();
  readonly #shares = new SerialQueue();
  #owner: Owner = { id: 0, epoch: 0 };
  #condition: "new" | "live" | "doubt" | "closed" = "new";
  /** Ends with the attempt that is under way to get out of doubt. */
  #attempt: Promise<void> = Promise.resolve();
  #failedAttempts = 0;
  #lastFailure: unknown;
  #doubtSinceMs = 0;
  #beatSent = { wall: 0, monotonic: 0 };
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(storage: Storage, clock: LedgerClock, outageWaitMs: number, events: SessionEvents) {
    this.storage = storage;
    this.clock = clock;
    this.outageWaitMs = outageWaitMs;
    this.#events = events;
  }

  get owner(): Owner {
    return this.#owner;
  }

  get isLive(): boolean {
    return this.#condition === "live";
  }

  /** True if quota may be reserved in memory: this server cannot have been declared dead. */
  get mayReserve(): boolean {
    return this.#condition === "live" && (this.storage.isExclusive || this.#isFresh());
  }

  get isJournalIdle(): boolean {
    return this.#journal.length === 0;
  }

  /** Registers the server. Rejects where the database cannot be reached. */
  async start(): Promise<void> {
    await this.#register();
    this.#condition = "live";
  }

  get failedAttempts(): number {
    return this.#failedAttempts;
  }

  /** Resolves once quota may be reserved. Rejects as `live` does. */
  async ready(since = this.#failedAttempts): Promise<void> {
    await this.live(since);
    if (!this.mayReserve) await this.heartbeat();
  }

  /**
   * Resolves once statements run. After `outageWaitMs` of doubt it rejects if an attempt to reach the database failed
   * since the wait began, so that queued callers share one attempt.
   */
  async live(since = this.#failedAttempts): Promise<void> {
    while (this.#condition !== "live") {
      if (this.#condition === "closed" || this.#condition === "new") throw new LedgerClosedError();
      if (this.#failedAttempts > since && this.#isLongDoubt()) throw this.#lastFailure;
      await this.#attempt.catch(() => undefined);
    }
  }

  /** Runs a statement of the journal after all earlier ones. */
  onJournal<Result>(statement: (owner: Owner) => Promise<Result>): Promise<Result> {
    const since = this.#failedAttempts;
    return this.#journal.run(() => this.#run(statement, since));
  }

  onShares<Result>(statement: (owner: Owner) => Promise<Result>): Promise<Result> {
    const since = this.#failedAttempts;
    return this.#shares.run(() => this.#run(statement, since));
  }

  async heartbeat(): Promise<void> {
    const sent = { wall: this.clock.nowMs(), monotonic: this.clock.monotonicMs() };
    await this.onShares((owner) => this.storage.heartbeat(owner));
    this.#beatSent = sent;
  }

  /** Discards the answers to earlier statements until the database has reported their effects. */
  doubt(): void {
    if (this.#condition !== "live") return;
    this.#condition = "doubt";
    this.#doubtSinceMs = this.clock.monotonicMs();
    this.#resolveSoon(0);
  }

  /** Subtracts all that the journal has from this server's shares. */
  async catchUp(): Promise<void> {
    const state = await this.storage.readOwner(this.#owner.id);
    if (state === undefined || Math.max(state.lastId, state.appliedId) < this.acknowledgedId)
      throw new DatabaseIsOlderError();
    if (state.lastId > state.appliedId) await this.storage.apply(this.#owner, state.appliedId, state.lastId);
    this.appliedId = state.lastId;
    this.acknowledgedId = state.lastId;
  }

  acknowledge(id: number): void {
    if (id > this.acknowledgedId) this.acknowledgedId = id;
  }

  close(): void {
    this.#condition = "closed";
  }

  async #run<Result>(statement: (owner: Owner) => Promise<Result>, since: number): Promise<Result> {
    await this.live(since);
    const answer = statement(this.#owner);
    this.#underWay.add(answer);
    try {
      return await answer;
    } catch (error) {
      // The database refused every other failed statement, so it had no effect.
      if (error instanceof DatabaseUnavailableError || error instanceof StaleEpochError) this.doubt();
      throw error;
    } finally {
      this.#underWay.delete(answer);
    }
  }

  #isFresh(): boolean {
    const { wall, monotonic } = this.#beatSent;
    return this.clock.nowMs() - wall < FRESH_MS && this.clock.monotonicMs() - monotonic < FRESH_MS;
  }

  #isLongDoubt(): boolean {
    return this.clock.monotonicMs() - this.#doubtSinceMs >= this.outageWaitMs;
  }

  #resolveSoon(pauseMs: number): void {
    this.#attempt = (async () => {
      if (pauseMs > 0) await pause(pauseMs);
      try {
        await this.#resolve();
      } catch (error) {
        this.#failedAttempts += 1;
        this.#lastFailure = error;
        throw error;
      }
    })();
    this.#attempt.catch((error: unknown) => {
      if (this.#condition !== "doubt") return;
      if (error instanceof DatabaseIsOlderError) {
        this.#condition = "closed";
        this.#events.outdated(error);
      } else this.#resolveSoon(Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, pauseMs * 2)));
    });
  }

  /** Each step depends on the one before: after the raise nothing can commit any more, and entries may be removed once they are applied. */
  async #resolve(): Promise<void> {
    this.storage.disconnect();
    await Promise.allSettled(this.#underWay);
    const { owner } = this;
    const raised = await this.storage.raise(owner);
    if (raised === undefined) {
      const found = await this.storage.look(this.#events.doubtful());
      await this.#register();
      if (this.#endDoubt()) this.#events.fenced(found);
      return;
    }
    if (raised.epoch <= owner.epoch) throw new DatabaseIsOlderError();
    this.#owner = raised;
    const found = await this.storage.look(this.#events.doubtful());
    await this.catchUp();
    const shares = await this.storage.readShares(raised.id);
    if (this.#endDoubt()) this.#events.settled({ found, shares });
  }

  /** False where the ledger was closed meanwhile. */
  #endDoubt(): boolean {
    if (this.#condition !== "doubt") return false;
    this.#condition = "live";
    return true;
  }

  async #register(): Promise<void> {
    const sent = { wall: this.clock.nowMs(), monotonic: this.clock.monotonicMs() };
    const owner = await this.storage.register();
    const state = await this.storage.readOwner(owner.id);
    // Only now: an attempt that fails before must find the old owner dead once more.
    this.#owner = owner;
    this.#beatSent = sent;
    this.appliedId = state?.appliedId ?? 0;
    this.acknowledgedId = this.appliedId;
  }
}
