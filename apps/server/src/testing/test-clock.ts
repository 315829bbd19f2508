import type { Clock } from "../platform/clock.ts";

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  advanceSeconds(seconds: number): void;
  /** Sets the time of day back, as an operator or a time server does; durations go on. */
  setBackSeconds(seconds: number): void;
}

/** A clock at a fixed moment. */
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
