/** Failures within the window below, without an answer between, that open the circuit. */
const FAILURES_TO_OPEN = 5;
const FAILURE_WINDOW_MS = 30_000;
/** Failures in a row that open a recovering circuit again. */
const FAILURES_TO_REOPEN = 3;
const FIRST_OPEN_MS = 15_000;
const LONGEST_OPEN_MS = 300_000;
/** Each opening in a row lasts so many times the one before. Ten minutes of failures then cost three probes. */
const OPEN_GROWTH = 4;
/** Time after which another probe follows one without a result. */
const PROBE_MS = 15_000;
const RECOVERY_MS = 10_000;
/** Share of its requests that a recovering channel receives. */
const RECOVERY_SHARE = 0.1;

/**
 * Circuit breaker of one channel. All times are of the monotonic clock, in ms.
 *
 * | State | Requests | Next state |
 * |---|---|---|
 * | closed | all | open: five failures within 30 s |
 * | open | none | half-open: its time is over; recovering: an earlier request is answered |
 * | half-open | one, the probe | recovering: answered; open for longer: failed |
 * | recovering | a tenth, for 10 s | closed: its time is over; open for longer: three failures in a row |
 */
export class Circuit {
  #failuresAtMs: number[] = [];
  #openUntilMs = 0;
  #openings = 0;
  #isProbing = false;
  #recoversUntilMs = 0;

  /** Returns the end of the open state; undefined in the others. */
  openUntil(nowMs: number): number | undefined {
    return this.#openUntilMs > nowMs ? this.#openUntilMs : undefined;
  }

  /** Returns the share of its requests that the channel may receive, 0 to 1. */
  share(nowMs: number): number {
    if (this.#openUntilMs > nowMs) return 0;
    return this.#recoversUntilMs > nowMs ? RECOVERY_SHARE : 1;
  }

  /** A request is sent. In the half-open state it is the probe, and the others wait for its result. */
  send(nowMs: number): void {
    if (this.#openUntilMs === 0 || this.#openUntilMs > nowMs) return;
    this.#isProbing = true;
    this.#openUntilMs = nowMs + PROBE_MS;
  }

  answer(nowMs: number): void {
    if (this.#failuresAtMs.length > 0) this.#failuresAtMs = [];
    if (this.#openUntilMs > 0) this.recover(nowMs);
    else if (this.#openings > 0 && this.#recoversUntilMs <= nowMs) this.#openings = 0;
  }

  /** The provider refused the request's content. Such a probe proves nothing, so the next request is a probe. */
  refuse(nowMs: number): void {
    if (!this.#isProbing) return;
    this.#isProbing = false;
    this.#openUntilMs = nowMs;
  }

  recover(nowMs: number): void {
    this.#failuresAtMs = [];
    this.#openUntilMs = 0;
    this.#isProbing = false;
    this.#recoversUntilMs = nowMs + RECOVERY_MS;
  }

  fail(nowMs: number): void {
    if (this.#openUntilMs > 0 && !this.#isProbing) return;
    this.#failuresAtMs = [...this.#failuresAtMs.filter((at) => at > nowMs - FAILURE_WINDOW_MS), nowMs];
    const limit = this.#recoversUntilMs > nowMs ? FAILURES_TO_REOPEN : FAILURES_TO_OPEN;
    if (!this.#isProbing && this.#failuresAtMs.length < limit) return;
    this.#openUntilMs = nowMs + Math.min(LONGEST_OPEN_MS, FIRST_OPEN_MS * OPEN_GROWTH ** this.#openings);
    this.#openings += 1;
    this.#isProbing = false;
    this.#failuresAtMs = [];
  }
}
