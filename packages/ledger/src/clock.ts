export interface LedgerClock {
  /** Unix time in ms. */
  nowMs(): number;
  /** A time in ms that only goes forward. */
  monotonicMs(): number;
}
