/** Where the time comes from, so that tests can set it. */
export interface Clock {
  /** Unix time in ms. */
  nowMs(): number;
  /** A time in ms that only goes forward, for durations. */
  monotonicMs(): number;
}

/** The machine's clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

/** Unix time in whole seconds, as the database keeps times. */
export function nowSeconds(clock: Clock): number {
  return Math.floor(clock.nowMs() / 1000);
}
