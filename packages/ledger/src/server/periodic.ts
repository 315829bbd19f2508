/** Work that is done again and again while a server runs, each piece a while after it last ended. Keeps no process alive. */
export class Periodic {
  readonly #warn: (error: unknown) => void;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #underWay = new Set<Promise<void>>();
  #isStopped = false;

  /** @param warn hears of work that failed; it is done again. */
  constructor(warn: (error: unknown) => void) {
    this.#warn = warn;
  }

  /** Does the work so many ms after it began to be periodic, and after it last ended. */
  every(pauseMs: () => number, work: () => Promise<unknown>): void {
    if (this.#isStopped) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      const done = work()
        .then(() => undefined, this.#warn)
        .finally(() => {
          this.#underWay.delete(done);
          this.every(pauseMs, work);
        });
      this.#underWay.add(done);
    }, pauseMs());
    timer.unref();
    this.#timers.add(timer);
  }

  /** Begins no further run, and waits for the running one. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all(this.#underWay);
  }
}
