import type { Checkpoint } from "../ledger/ledger.ts";

/** A request in flight, as the keeper of all of them sees it. */
export interface ActiveRelay {
  /** What it has delivered so far; undefined before anything was. */
  checkpoint(): Checkpoint | undefined;
  /** Closes it when the caller has taken nothing for too long. */
  cutIfStalled(nowMs: number): void;
}

/** Every request in flight, and what is known of its stream. */
export class ActiveRelays {
  readonly #relays = new Set<ActiveRelay>();
  readonly #running = new Set<Promise<unknown>>();

  /** Counts the work as in flight until it ends. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Resolves when nothing is in flight: everything is settled. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  add(relay: ActiveRelay): void {
    this.#relays.add(relay);
  }

  remove(relay: ActiveRelay): void {
    this.#relays.delete(relay);
  }

  /** How many streams are open. */
  get size(): number {
    return this.#relays.size;
  }

  /** What the open streams have delivered. */
  checkpoints(): Checkpoint[] {
    return [...this.#relays].flatMap((relay) => relay.checkpoint() ?? []);
  }

  cutStalled(nowMs: number): void {
    for (const relay of this.#relays) relay.cutIfStalled(nowMs);
  }
}
