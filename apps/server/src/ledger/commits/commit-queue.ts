import { setTimeout as wait } from "node:timers/promises";
import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import { LedgerClosedError, type Payer } from "../ledger.ts";
import type { LedgerOperation, LedgerOutcome } from "./run-ledger-group.ts";

/** Called once: with the outcome after the commit, or with the error. */
export type OperationCallback = (error: Error | undefined, outcome: LedgerOutcome | undefined) => void;

interface Waiting {
  readonly operation: LedgerOperation;
  readonly done: OperationCallback;
}

/** Runs a group in one transaction and returns each operation's outcome, in order. `attempt` counts from 1. */
export type RunGroup = (group: readonly LedgerOperation[], attempt: number) => Promise<readonly LedgerOutcome[]>;

/** Most operations of one transaction, so that no caller waits for an endless one. */
const GROUP_SIZE = 256;
const ATTEMPTS = 3;
/** A group that keeps growing waits this many turns of the event loop at the most: a commit costs more than a turn. */
const MOST_TURNS = 8;

/** From so many operations on a group waits for more, where that is said, unless it has enough. */
const BUSY_GROUP = 3;
const ENOUGH = 24;

/**
 * Commits operations in groups: a group gathers for as long as every turn of the event loop brings more, and what arrives while a commit is
 * under way shares the next one. Where a commit costs much beside what it commits, a group of several waits `gatherMs` for more: whoever is alone
 * waits for nobody. A group that fails is tried again, then one by one, so that one bad operation fails alone.
 */
export class CommitQueue {
  readonly #runGroup: RunGroup;
  readonly #gatherMs: number;
  #waiting: Waiting[] = [];
  #running = false;
  #isClosed = false;
  #known = 0;
  #turns = 0;
  #whenIdle: (() => void)[] = [];

  constructor(runGroup: RunGroup, gatherMs = 0) {
    this.#runGroup = runGroup;
    this.#gatherMs = gatherMs;
  }

  /** Adds an operation to the next group. A closed queue answers with `LedgerClosedError`. */
  add(operation: LedgerOperation, done: OperationCallback): void {
    if (this.#isClosed) return queueMicrotask(() => done(new LedgerClosedError(), undefined));
    this.#waiting.push({ operation, done });
    if (this.#running) return;
    this.#running = true;
    this.#gather();
  }

  /** The same with a promise. */
  run(operation: LedgerOperation): Promise<LedgerOutcome> {
    return new Promise((resolve, reject) => {
      this.add(operation, (error, outcome) => {
        if (outcome === undefined) reject(error ?? new Error("An operation of the ledger has no outcome."));
        else resolve(outcome);
      });
    });
  }

  /** Takes nothing more once nothing waits and nothing is under way; resolves then. */
  async close(): Promise<void> {
    while (this.#running) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
    this.#isClosed = true;
  }

  #gather(): void {
    const count = this.#waiting.length;
    [this.#known, this.#turns] = [count, 1];
    if (this.#gatherMs > 0 && count >= BUSY_GROUP && count < ENOUGH) setTimeout(this.#look, this.#gatherMs);
    else setImmediate(this.#look);
  }

  readonly #look = (): void => {
    const count = this.#waiting.length;
    if (count > this.#known && count < GROUP_SIZE && this.#turns < MOST_TURNS) {
      this.#known = count;
      this.#turns += 1;
      setImmediate(this.#look);
      return;
    }
    const group = count <= GROUP_SIZE ? this.#waiting : this.#waiting.slice(0, GROUP_SIZE);
    this.#waiting = count <= GROUP_SIZE ? [] : this.#waiting.slice(GROUP_SIZE);
    void this.#commit(group).then(this.#goOn);
  };

  readonly #goOn = (): void => {
    if (this.#waiting.length > 0) return this.#gather();
    this.#running = false;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  };

  async #commit(group: readonly Waiting[]): Promise<void> {
    const operations = group.map((waiting) => waiting.operation);
    for (let attempt = 1; ; attempt += 1) {
      let outcomes: readonly LedgerOutcome[];
      try {
        outcomes = await this.#runGroup(operations, attempt);
      } catch (error) {
        if (attempt < ATTEMPTS) continue;
        const failure = error instanceof Error ? error : new Error(String(error));
        // A database that is away fails them all alike: trying each on its own would only keep the others waiting.
        if (group.length === 1 || failure instanceof DatabaseUnavailableError)
          for (const waiting of group) tell(waiting, failure, undefined);
        else for (const waiting of group) await this.#commit([waiting]);
        return;
      }
      // In one go: what was read is what the whole group left, and who awaits it goes on when all others have been told.
      for (const [index, waiting] of group.entries()) tell(waiting, undefined, outcomes[index]);
      return;
    }
  }
}

/** What one caller does with its outcome keeps no other from getting theirs. */
function tell(waiting: Waiting, error: Error | undefined, outcome: LedgerOutcome | undefined): void {
  try {
    waiting.done(error, outcome);
  } catch (thrown) {
    queueMicrotask(() => {
      throw thrown;
    });
  }
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** Gives back what a row holds, and tries for as long as the database is away and the ledger open. */
export async function releaseRow(queue: CommitQueue, hold: Payer & { readonly requestId: string }): Promise<void> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      await queue.run({ kind: "release", hold });
      return;
    } catch (error) {
      if (error instanceof LedgerClosedError) return;
      await wait(pauseMs, undefined, { ref: false });
    }
  }
}
