import type { Clock } from "../platform/clock.ts";

/** A clock that a test moves. */
export interface TestClock extends Clock {
  advanceSeconds(seconds: number): void;
  /** Sets the time of day back. Monotonic time goes on. */
  setBackSeconds(seconds: number): void;
}

export function createTestClock(startMs = Date.UTC(2025, 5, 1, 12)): TestClock {
  let elapsedMs = 0;
  let setBackMs = 0;
  return {
    nowMs: () => startMs + elapsedMs - setBackMs,
    monotonicMs: () => elapsedMs,
    advanceSeconds: (seconds) => {
      elapsedMs += seconds * 1000;
    },
    setBackSeconds: (seconds) => {
      setBackMs += seconds * 1000;
    },
  };
}
