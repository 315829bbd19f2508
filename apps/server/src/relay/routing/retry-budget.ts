/** Extra attempts for each request. */
const SHARE = 0.2;
/** Lets a quiet server retry, and bounds a burst. */
const FIRST = 10;
const MOST = 100;

/**
 * Bounds the attempts at channels that failed recently to a fifth of the requests. Without it, an outage of every
 * provider would multiply the load on them by `RetryTimes`.
 */
export class RetryBudget {
  #left = FIRST;

  earn(): void {
    this.#left = Math.min(MOST, this.#left + SHARE);
  }

  take(): boolean {
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
