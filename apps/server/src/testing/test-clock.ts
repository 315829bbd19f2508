import type { Clock } from "../core/clock.ts";

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  advanceSeconds(seconds: number): void;
}

/** A clock at a fixed moment. */
export function createTestClock(startMs = Date.UTC(2025, 5, 1, 12)): TestClock {
  let elapsedMs = 0;
  return {
    nowMs: () => startMs + elapsedMs,
    monotonicMs: () => elapsedMs,
    advanceSeconds: (seconds) => {
      elapsedMs += seconds * 1000;
    },
  };
}
