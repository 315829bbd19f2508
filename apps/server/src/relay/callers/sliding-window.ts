const WINDOW_SECONDS = 60;
/** One bucket more than seconds, so that no 60 seconds ever exceed the limit. */
const BUCKETS = WINDOW_SECONDS + 1;

export class SlidingWindow {
  readonly #counts = new Float64Array(BUCKETS);
  #second = 0;
  #total = 0;

  total(nowMs: number): number {
    this.#advance(Math.floor(nowMs / 1000));
    return this.#total;
  }

  add(nowMs: number, amount: number): void {
    this.#advance(Math.floor(nowMs / 1000));
    const bucket = this.#second % BUCKETS;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + amount;
    this.#total += amount;
  }

  /** Seconds until the amount fits under the limit; 0: now. */
  secondsUntilFree(nowMs: number, amount: number, limit: number): number {
    this.#advance(Math.floor(nowMs / 1000));
    let over = this.#total + amount - limit;
    for (let wait = 1; wait <= BUCKETS && over > 0; wait += 1) {
      over -= this.#counts[(this.#second + wait) % BUCKETS] ?? 0;
      if (over <= 0) return wait;
    }
    return over > 0 ? WINDOW_SECONDS : 0;
  }

  #advance(second: number): void {
    const elapsed = second - this.#second;
    if (elapsed <= 0) return;
    if (elapsed >= BUCKETS) {
      this.#counts.fill(0);
      this.#total = 0;
    } else {
      for (let passed = this.#second + 1; passed <= second; passed += 1) {
        this.#total -= this.#counts[passed % BUCKETS] ?? 0;
        this.#counts[passed % BUCKETS] = 0;
      }
    }
    this.#second = second;
  }
}
