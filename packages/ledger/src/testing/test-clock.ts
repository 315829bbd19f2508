import type { LedgerClock } from "../clock.ts";

/** A clock that tests move. */
export class TestClock implements LedgerClock {
  #ms: number;

  constructor(startMs: number) {
    this.#ms = startMs;
  }

  nowMs(): number {
    return this.#ms;
  }

  monotonicMs(): number {
    return this.#ms;
  }

  get seconds(): number {
    return Math.floor(this.#ms / 1000);
  }

  advance(ms: number): void {
    this.#ms += ms;
  }
}
