import type { UsageLogRow } from "./ledger-statements.ts";

/** Whose balances a request uses. */
export interface Payer {
  readonly userId: number;
  readonly tokenId: number;
  /** The token has no quota of its own; only the user's counts. */
  readonly tokenUnlimited: boolean;
}

/** Sets quota aside before the upstream is called. */
export interface Reservation extends Payer {
  readonly requestId: string;
  /** An upper bound of the charge, in quota. */
  readonly amount: number;
  /** Unix seconds. */
  readonly createdAt: number;
}

/** A log row; the ledger fills in what was really charged. */
export type LogRow = Omit<UsageLogRow, "quota" | "token_id" | "token_amount" | "shortfall" | "hidden">;

/** Ends a reservation: books the charge, gives the rest back and writes the log row, all in one commit. */
export interface Settlement extends Payer {
  readonly requestId: string;
  readonly channelId: number;
  /** What the answer costs, in quota; a free one costs 0 and is booked. Undefined when nothing was delivered: everything goes back. */
  readonly charge: number | undefined;
  /** Undefined when usage logs are switched off. */
  readonly log: LogRow | undefined;
  /** Unix seconds. */
  readonly at: number;
}

/** Whose balance did not cover a reservation. */
export type ReserveRefusal = "user-quota" | "token-quota";

export type ReserveOutcome = { readonly ok: true } | { readonly ok: false; readonly refusal: ReserveRefusal };

/** What a settlement really took; below the charge only when the balances did not cover more than was reserved. */
export interface SettleOutcome {
  /** False when the reservation was gone: settled before, or recovered after this process was taken for dead. */
  readonly settled: boolean;
  readonly charged: number;
}
