import type { UnixSeconds } from "./column-values.ts";

/** Last report of each server, for the operator. A server without one is of an older version. */
export interface ServersTable {
  /** Id of the server's row in `owners`. */
  id: number;
  name: string;
  version: string;
  started_at: UnixSeconds;
  reported_at: UnixSeconds;
  /** 0 while it runs, and after a kill. */
  stopped_at: UnixSeconds;
  /** Relayed requests that were not settled yet. */
  in_flight: number;
  /** Last comparison of the balances with the ledger by this server; 0 for none. */
  balances_checked_at: UnixSeconds;
  balance_differences: number;
}
