import type { Checkpoint } from "../ledger/ledger.ts";

/** A request in flight, as the keeper of all of them sees it. */
export interface ActiveRelay {
  /** What it has delivered so far; undefined before anything was. */
  checkpoint(): Checkpoint | undefined;
  /** Closes it when the caller has taken nothing for too long. */
  cutIfStalled(nowMs: number): void;
}

/** Where a stream stands in the list. */
interface Entry {
  readonly relay: ActiveRelay;
  index: number;
}

/**
 * Every request in flight, and what is known of its stream. Streams stand in an array: what passes through a Set as old as the process
 * lives on until the next full garbage collection, which made every small one ten times as long.
 */
export class ActiveRelays {
  readonly #streams: Entry[] = [];
  #running = 0;
  #whenIdle: (() => void)[] = [];

  /** Counts the work as in flight until it ends. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
    }
  }

  /** Resolves when nothing is in flight: everything is settled. */
  async idle(): Promise<void> {
    while (this.#running > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  /** Adds an open stream and returns what removes it, once. */
  add(relay: ActiveRelay): () => void {
    const entry = { relay, index: this.#streams.length };
    this.#streams.push(entry);
    return () => {
      const last = this.#streams.pop();
      if (last === undefined || last === entry) return;
      last.index = entry.index;
      this.#streams[entry.index] = last;
    };
  }

  /** How many streams are open. */
  get size(): number {
    return this.#streams.length;
  }

  /** What the open streams have delivered. */
  checkpoints(): Checkpoint[] {
    return this.#streams.flatMap(({ relay }) => relay.checkpoint() ?? []);
  }

  cutStalled(nowMs: number): void {
    for (const { relay } of this.#streams.slice()) relay.cutIfStalled(nowMs);
  }
}
