/** Interval of the checks, in ms. Timeouts fire up to two intervals late, never early. */
export const SWEEP_MS = 250;

interface Checked {
  check(tick: number): void;
}

/**
 * One timer for the timeouts of all connections, which record the tick at which a wait began. A stall of the process
 * counts as one tick.
 */
export class TimeoutSweep {
  readonly #checked = new Set<Checked>();
  #timer: NodeJS.Timeout | undefined;
  #tick = 0;

  /** Increases every SWEEP_MS while there is something to check. */
  get tick(): number {
    return this.#tick;
  }

  add(checked: Checked): void {
    this.#checked.add(checked);
    this.#timer ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  delete(checked: Checked): void {
    this.#checked.delete(checked);
    if (this.#checked.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #sweep(): void {
    this.#tick++;
    for (const checked of this.#checked) checked.check(this.#tick);
  }
}
