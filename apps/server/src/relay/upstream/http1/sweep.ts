/** How often waits are looked at, in ms; they end up to twice as much late, and never early. */
export const SWEEP_MS = 250;

/** What may have waited too long. */
interface Waiting {
  check(tick: number): void;
}

/**
 * One timer for all waits of many connections: who waits notes the tick at which it began. Time that the process itself was held up in counts as
 * one tick, so that nobody is blamed for it.
 */
export class Sweep {
  readonly #waiting = new Set<Waiting>();
  #timer: NodeJS.Timeout | undefined;
  #tick = 0;

  /** Counts up every SWEEP_MS while anybody waits. */
  get tick(): number {
    return this.#tick;
  }

  add(waiting: Waiting): void {
    this.#waiting.add(waiting);
    this.#timer ??= setInterval(() => this.#look(), SWEEP_MS).unref();
  }

  delete(waiting: Waiting): void {
    this.#waiting.delete(waiting);
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    this.#tick++;
    for (const waiting of this.#waiting) waiting.check(this.#tick);
  }
}
