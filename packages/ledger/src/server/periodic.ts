/** Work that repeats while a server runs, a pause after each end. Does not keep the process alive. */
export class Periodic {
  readonly #warn: (error: unknown) => void;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #underWay = new Set<Promise<void>>();
  #isStopped = false;

  /** @param warn receives the error of failed work, which is repeated. */
  constructor(warn: (error: unknown) => void) {
    this.#warn = warn;
  }

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

  /** Starts no further run, and waits for the running one. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all(this.#underWay);
  }
}
