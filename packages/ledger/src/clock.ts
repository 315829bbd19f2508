export interface LedgerClock {
  /** Unix time in ms. */
  nowMs(): number;
  /** Monotonic time in ms. */
  monotonicMs(): number;
}
