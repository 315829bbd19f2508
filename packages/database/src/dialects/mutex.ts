import { DatabaseUnavailableError } from "../database-errors.ts";

interface Waiter {
  readonly deadlineMs: number;
  readonly grant: () => void;
  readonly refuse: (error: Error) => void;
}

/** A lock, granted in the order of requests. A wait beyond the time limit ends with DatabaseUnavailableError. */
export class Mutex {
  readonly #waitLimitMs: number;
  readonly #waiters = new Set<Waiter>();
  #isLocked = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(waitLimitMs: number) {
    this.#waitLimitMs = waitLimitMs;
  }

  /** Takes the lock: at once (undefined), or when the promise resolves. `release` it exactly once. */
  lock(): Promise<void> | undefined {
    if (!this.#isLocked) {
      this.#isLocked = true;
      return undefined;
    }
    return new Promise((grant, refuse) => {
      this.#waiters.add({ deadlineMs: performance.now() + this.#waitLimitMs, grant, refuse });
      this.#timer ??= setTimeout(this.#refuseLate, this.#waitLimitMs);
    });
  }

  get waiting(): number {
    return this.#waiters.size;
  }

  release(): void {
    for (const next of this.#waiters) {
      this.#waiters.delete(next);
      if (this.#waiters.size === 0) this.#stopTimer();
      next.grant();
      return;
    }
    this.#isLocked = false;
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
