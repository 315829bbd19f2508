export interface LedgerClock {
  nowMs(): number;
  monotonicMs(): number;
}
