/** Buckets of a window. One more is kept, so that no span of the window's length ever exceeds the limit. */
const WINDOW_BUCKETS = 60;
const BUCKETS = WINDOW_BUCKETS + 1;

/** Sum of the last seconds, in buckets of a sixtieth of the window. */
export class SlidingWindow {
  readonly #counts = new Float64Array(BUCKETS);
  readonly #bucketSeconds: number;
  #bucket = 0;
  #total = 0;

  constructor(seconds: number) {
    this.#bucketSeconds = seconds / WINDOW_BUCKETS;
  }

  total(nowMs: number): number {
    this.#advance(nowMs);
    return this.#total;
  }

  add(nowMs: number, amount: number): void {
    this.#advance(nowMs);
    const bucket = this.#bucket % BUCKETS;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + amount;
    this.#total += amount;
  }

  /** Seconds until the amount fits under the limit; 0: now. */
  secondsUntilFree(nowMs: number, amount: number, limit: number): number {
    this.#advance(nowMs);
    let over = this.#total + amount - limit;
    for (let wait = 1; wait <= BUCKETS && over > 0; wait += 1) {
      over -= this.#counts[(this.#bucket + wait) % BUCKETS] ?? 0;
      if (over <= 0) return wait * this.#bucketSeconds;
    }
    return over > 0 ? WINDOW_BUCKETS * this.#bucketSeconds : 0;
  }

  #advance(nowMs: number): void {
    const bucket = Math.floor(nowMs / (1000 * this.#bucketSeconds));
    const elapsed = bucket - this.#bucket;
    if (elapsed <= 0) return;
    if (elapsed >= BUCKETS) {
      this.#counts.fill(0);
      this.#total = 0;
    } else {
      for (let passed = this.#bucket + 1; passed <= bucket; passed += 1) {
        this.#total -= this.#counts[passed % BUCKETS] ?? 0;
        this.#counts[passed % BUCKETS] = 0;
      }
    }
    this.#bucket = bucket;
  }
}
