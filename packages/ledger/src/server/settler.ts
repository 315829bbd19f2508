import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import { LedgerClosedError } from "../ledger.ts";
import { type JournalRow, StaleEpochError } from "../storage/storage.ts";
import type { Session } from "./session.ts";

/** Called once: with the id of the row after the commit, or with the error. */
export type RowCallback = (error: Error | undefined, id: number) => void;

interface Waiting {
  readonly row: JournalRow;
  readonly done: RowCallback;
}

/** Most rows of one commit, so that no caller waits for an endless one. */
const GROUP_SIZE = 256;
/** Most turns of the event loop that a growing group waits: a commit costs more than a turn. */
const MOST_TURNS = 8;

/** Over a network, a group of this many rows waits for more, unless it is full. */
const BUSY_GROUP = 3;
const ENOUGH = 24;
/** Wait of such a group, in ms: a statement over a network costs as much as a dozen rows. */
const GATHER_MS = 1;

/**
 * Appends rows to the journal in groups (group commit). A group closes when a turn of the event loop adds no row. A refused row fails alone.
 */
export class Settler {
  readonly #session: Session;
  #waiting: Waiting[] = [];
  #isRunning = false;
  #isClosed = false;
  #known = 0;
  #turns = 0;
  #whenIdle: (() => void)[] = [];
  #commits = 0;
  #rows = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  add(row: JournalRow, done: RowCallback): void {
    if (this.#isClosed) return queueMicrotask(() => done(new LedgerClosedError(), 0));
    this.#waiting.push({ row, done });
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#gather();
  }

  /** Removes the waiting rows from the queue: their server was declared dead. */
  drop(): void {
    for (const { done } of this.#waiting.splice(0)) done(new StaleEpochError(), 0);
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get committed(): { readonly commits: number; readonly rows: number } {
    return { commits: this.#commits, rows: this.#rows };
  }

  async idle(): Promise<void> {
    while (this.#isRunning) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  close(): void {
    this.#isClosed = true;
  }

  #gather(): void {
    const count = this.#waiting.length;
    [this.#known, this.#turns] = [count, 1];
    const isSlow = !this.#session.storage.isExclusive && count >= BUSY_GROUP && count < ENOUGH;
    if (isSlow) setTimeout(this.#look, GATHER_MS);
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
    const group = this.#waiting.slice(0, GROUP_SIZE);
    this.#waiting = this.#waiting.slice(GROUP_SIZE);
    void this.#commit(group).then(this.#goOn);
  };

  readonly #goOn = (): void => {
    if (this.#waiting.length > 0) return this.#gather();
    this.#isRunning = false;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  };

  async #commit(group: readonly Waiting[]): Promise<void> {
    if (group.length === 0) return;
    let ids: ReadonlyMap<string, number>;
    try {
      ids = await this.#session.onJournal(async (owner) => {
        // A server that was declared dead meanwhile never settles for its old self.
        if (group.some(({ row }) => row.owner !== 0 && row.owner !== owner.id)) throw new StaleEpochError();
        const rows = group.map(({ row }) => row);
        return this.#session.storage.settle(owner, rows);
      });
    } catch (error) {
      const isRefused = !(error instanceof DatabaseUnavailableError || error instanceof StaleEpochError);
      if (group.length > 1 && isRefused) for (const waiting of group) await this.#commit([waiting]);
      else for (const { done } of group) tell(done, error instanceof Error ? error : new Error(String(error)), 0);
      return;
    }
    this.#commits += 1;
    this.#rows += ids.size;
    // A request has a row already, or the epoch is old: only the database can say which.
    if (ids.size < group.length) this.#session.doubt();
    for (const { row, done } of group) {
      const id = ids.get(row.request_id);
      if (id !== undefined && row.owner !== 0) this.#session.acknowledge(id);
      tell(done, id === undefined ? new StaleEpochError() : undefined, id ?? 0);
    }
  }
}

/** An exception of one callback does not affect the others. */
function tell(done: RowCallback, error: Error | undefined, id: number): void {
  try {
    done(error, id);
  } catch (thrown) {
    queueMicrotask(() => {
      throw thrown;
    });
  }
}
