import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { UnmetConditionError } from "@one-api/database/database-errors";
import type { OpenDatabase, RunStatement } from "@one-api/database/open-database";
import { sql } from "kysely";
import type { Clock } from "../../core/clock.ts";
import type { Instance } from "../instance.ts";
import type { Reservation } from "../ledger.ts";
import { type Lease, LeaseBook } from "./lease-book.ts";
import { othersLease, returnLeases, takeLeases } from "./lease-statements.ts";

/** What servers tell each other: `changed` and `recall` with a user's id, `beat` with who told it and when. The first comes from the database's triggers. */
const CHANNEL = "one_api_leases";
/** Between two looks at what goes back, in ms, and between two signs that this process hears what others tell. */
const LOOK_MS = 1_000;
/** So long after it was told, the last sign still says that nothing was missed, in ms. */
const HEARS_MS = 3_000;
/** Who has not heard itself for so many looks listens on a new connection. */
const MOST_DEAF_LOOKS = 15;
/** What comes in this time is set aside with one transaction, in ms. */
const GATHER_MS = 20;
/** Most leases of one statement. */
const BATCH = 256;
const ATTEMPTS = 3;
/** Between two looks whether others have given back what they were asked for, in ms; they have so many. */
const RECALL_LOOKS_MS = [5, 10, 20, 50, 100, 200, 300, 300];
/** After others did not answer, they are not asked again for the same user for so long, in ms. */
const UNANSWERED_MS = 10_000;

/** What leases are made from. */
export interface LeaseParts {
  readonly database: OpenDatabase;
  /** Runs what is a transaction of its own: a process that stopped in the middle of one of several would keep all others from its users. */
  readonly statement: RunStatement;
  readonly instance: Instance;
  readonly clock: Clock;
}

/**
 * Quota that this process sets aside in advance for callers who come again and have plenty, on a database that others use too: their requests need no
 * row, and their one commit is that of the charge. What is set aside stays in the balance, and no other process sets it aside; when a balance falls short
 * somewhere, all give back what no request in flight needs. A caller's change is heard at its commit; nothing is let in while this process may not hear.
 */
export class QuotaLeases {
  readonly #database: OpenDatabase;
  readonly #statement: RunStatement;
  readonly #instance: Instance;
  readonly #clock: Clock;
  readonly #book = new LeaseBook();
  readonly #name = randomUUID();
  readonly #recalls = new Map<number, Promise<boolean>>();
  readonly #unanswered = new Map<number, number>();
  readonly #underWay = new Set<Promise<void>>();
  #listening: { stop(): Promise<void> } | undefined;
  #looking: NodeJS.Timeout | undefined;
  #taking: NodeJS.Timeout | undefined;
  #hearsUntilMs = Number.NEGATIVE_INFINITY;
  #deafLooks = 0;

  constructor({ database, statement, instance, clock }: LeaseParts) {
    this.#database = database;
    this.#statement = statement;
    this.#instance = instance;
    this.#clock = clock;
  }

  /** The count of callers' changes: ask before a reservation by row, and say it with `noteReserved`. */
  get changes(): number {
    return this.#book.changes;
  }

  /** From now on quota is set aside in advance. */
  start(): void {
    this.#listen();
    this.#looking = setInterval(() => this.#look(), LOOK_MS);
    this.#looking.unref();
  }

  /** Gives everything back, after the last request. */
  async stop(): Promise<void> {
    clearInterval(this.#looking);
    clearTimeout(this.#taking);
    await this.#listening?.stop();
    await Promise.all(this.#underWay);
    await this.#return(this.#book.closeAll());
  }

  /** Pays for the request with what is set aside in advance; undefined where that cannot be. */
  hold(reservation: Reservation): Lease | undefined {
    if (reservation.budgeted === true || reservation.outlivesProcess === true) return undefined;
    if (!this.#hears() || !this.#instance.isSurelyAlive()) return undefined;
    return this.#book.hold(reservation);
  }

  /** Whether a caller's change would be heard of now. */
  #hears(): boolean {
    return this.#clock.monotonicMs() <= this.#hearsUntilMs;
  }

  /** The request needs what was set aside for it no longer. */
  free(lease: Lease, amount: number): void {
    if (this.#book.free(lease, amount)) this.#later(this.#return([lease]));
  }

  /** A reservation was granted by a row, and had been asked for at that count of changes. */
  noteReserved(reservation: Reservation, changes: number): void {
    if (this.#listening === undefined || reservation.budgeted === true || reservation.outlivesProcess === true) return;
    this.#book.noteReserved(reservation, changes, this.#clock.monotonicMs());
    if (!this.#book.hasWishes || this.#taking !== undefined) return;
    // Who hears nothing could not use what it sets aside, and nobody else could: behind a pooler by transactions that is always so.
    if (this.#hears()) this.#gather();
    else this.#book.forgetWishes();
  }

  /** So much of the lease paid for a charge that the rest of the balance did not cover. */
  noteUsed(lease: Lease, amount: number): void {
    this.#book.noteUsed(lease, amount, this.#clock.monotonicMs());
  }

  /** Nobody knows how much of the lease a commit used. */
  doubt(lease: Lease): void {
    this.#book.doubt(lease);
  }

  /** Others took this process for dead, and gave back what they found of its leases. */
  noteTakenForDead(): void {
    this.#book.doubtAll();
  }

  /**
   * Has all servers give back what they have set aside in advance for the user and no request in flight needs, and waits for it, not for long. Nothing
   * is set aside in advance for the user for a minute. Returns whether something came back. Calls at the same time share one.
   */
  recall(userId: number): Promise<boolean> {
    let recall = this.#recalls.get(userId);
    if (recall === undefined) {
      recall = this.#recall(userId).finally(() => this.#recalls.delete(userId));
      this.#recalls.set(userId, recall);
    }
    return recall;
  }

  async #recall(userId: number): Promise<boolean> {
    const own = await this.#giveBackUnused(userId);
    try {
      return (await this.#recallFromOthers(userId)) || own;
    } catch {
      // Whoever wanted it back goes on with what there is.
      return own;
    }
  }

  async #recallFromOthers(userId: number): Promise<boolean> {
    const ask = () => othersLease(this.#database.db, this.#instance.id(), userId);
    const now = this.#clock.monotonicMs();
    if ((this.#unanswered.get(userId) ?? 0) > now || !(await ask())) return false;
    await this.#tell(`recall ${userId}`);
    for (const ms of RECALL_LOOKS_MS) {
      await wait(ms);
      if (!(await ask())) return true;
    }
    if (this.#unanswered.size >= BATCH) this.#unanswered.clear();
    this.#unanswered.set(userId, now + UNANSWERED_MS);
    return false;
  }

  /** Returns whether something went back. */
  async #giveBackUnused(userId: number): Promise<boolean> {
    this.#book.close(userId, this.#clock.monotonicMs());
    const unused = this.#book.unusedOf(userId);
    const hasUnused = unused.some(({ amount, open }) => amount > open);
    await this.#return(unused);
    return hasUnused;
  }

  #listen(): void {
    this.#deafLooks = 0;
    this.#listening = this.#database.listen?.(CHANNEL, {
      began: () => this.#book.noteGap(),
      heard: (payload) => this.#hear(payload),
    });
  }

  #hear(payload: string): void {
    const [what, first, second] = payload.split(" ");
    if (what === "beat") {
      if (first !== this.#name) return;
      this.#hearsUntilMs = Math.max(this.#hearsUntilMs, Number(second) + HEARS_MS);
      this.#deafLooks = 0;
    } else if (what === "changed") this.#book.noteChange(Number(first));
    else if (what === "recall") this.#later(this.#giveBackUnused(Number(first)));
  }

  #look(): void {
    if (this.#book.size === 0) return;
    this.#deafLooks += 1;
    // A connection that the network lost says nothing of it.
    if (this.#deafLooks > MOST_DEAF_LOOKS) {
      this.#later(this.#listening?.stop() ?? Promise.resolve());
      this.#listen();
    }
    this.#later(this.#tell(`beat ${this.#name} ${this.#clock.monotonicMs()}`));
    const idle = this.#book.look(this.#clock.monotonicMs());
    if (idle.length > 0) this.#later(this.#return(idle));
  }

  #gather(): void {
    this.#taking = setTimeout(() => {
      this.#taking = undefined;
      this.#later(this.#take());
    }, GATHER_MS);
    this.#taking.unref();
  }

  async #take(): Promise<void> {
    const wishes = this.#book.takeWishes(BATCH);
    if (this.#book.hasWishes) this.#gather();
    if (wishes.length === 0) return;
    const granted = await this.#run((run) => takeLeases(run, this.#instance.id(), wishes));
    const toReturn: Lease[] = [];
    const now = this.#clock.monotonicMs();
    for (const wish of wishes) {
      const outcome = granted === undefined ? "unknown" : granted.has(wish) ? "granted" : "refused";
      if (this.#book.noteWish(wish, outcome, now)) toReturn.push(wish.lease);
    }
    await this.#return(toReturn);
  }

  /** Gives back what no request in flight needs of these, and what is closed by then. */
  async #return(leases: readonly Lease[]): Promise<void> {
    let left = leases;
    while (left.length > 0) {
      const ofUsers = new Map(left.filter(({ isBusy }) => !isBusy).map((lease) => [lease.userId, lease]));
      const batch = [...ofUsers.values()].slice(0, BATCH);
      if (batch.length === 0) return;
      const returns = batch.map((lease) => this.#book.startReturn(lease));
      const given = await this.#run((run) => returnLeases(run, this.#instance.id(), returns, "alone"));
      const again = batch.filter((lease, index) => {
        const wasAll = returns[index]?.amount === undefined;
        const returned = given && (given[index]?.userAmount ?? 0);
        return this.#book.noteReturn(lease, wasAll, returned, this.#clock.monotonicMs());
      });
      left = [...left.filter((lease) => !batch.includes(lease) && !lease.isBusy), ...again];
    }
  }

  /** Runs one statement. Undefined where nobody knows what became of it, or it failed. */
  async #run<Result>(ask: (run: RunStatement) => Promise<Result>): Promise<Result | undefined> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      try {
        return await ask(this.#statement);
      } catch (error) {
        if (!(error instanceof UnmetConditionError)) return undefined;
      }
    }
    return undefined;
  }

  /** What cannot be told is told with the next sign, or missed: then this process does not hear itself. */
  async #tell(payload: string): Promise<void> {
    try {
      await sql`select pg_notify(${CHANNEL}, ${payload})`.execute(this.#database.db);
    } catch {
      return;
    }
  }

  #later(work: Promise<unknown>): void {
    const done = work.then(
      () => undefined,
      () => undefined,
    );
    this.#underWay.add(done);
    void done.then(() => this.#underWay.delete(done));
  }
}
