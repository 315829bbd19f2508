import { DatabaseUnavailableError } from "../database-errors.ts";

interface Waiter {
  readonly deadlineMs: number;
  readonly grant: () => void;
  readonly refuse: (error: Error) => void;
}

/** One connection, taken in turn, first come first served. */
export class TurnQueue {
  readonly #waitLimitMs: number;
  readonly #waiters = new Set<Waiter>();
  #taken = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param waitLimitMs how long anybody waits before `DatabaseUnavailableError`, so that a stuck holder cannot hang all others. */
  constructor(waitLimitMs: number) {
    this.#waitLimitMs = waitLimitMs;
  }

  /** Resolves when it is the caller's turn; the caller must then `release` exactly once. */
  take(): Promise<void> | undefined {
    if (!this.#taken) {
      this.#taken = true;
      return undefined;
    }
    return new Promise((grant, refuse) => {
      this.#waiters.add({ deadlineMs: performance.now() + this.#waitLimitMs, grant, refuse });
      this.#timer ??= setTimeout(this.#refuseLate, this.#waitLimitMs);
    });
  }

  /** Ends the caller's turn and begins the next one's. */
  release(): void {
    for (const next of this.#waiters) {
      this.#waiters.delete(next);
      if (this.#waiters.size === 0) this.#stopTimer();
      next.grant();
      return;
    }
    this.#taken = false;
  }

  readonly #refuseLate = (): void => {
    this.#timer = undefined;
    const nowMs = performance.now();
    for (const waiter of this.#waiters) {
      if (waiter.deadlineMs > nowMs) {
        this.#timer = setTimeout(this.#refuseLate, waiter.deadlineMs - nowMs);
        return;
      }
      this.#waiters.delete(waiter);
      waiter.refuse(new DatabaseUnavailableError(`The database was busy for more than ${this.#waitLimitMs} ms`));
    }
  };

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
