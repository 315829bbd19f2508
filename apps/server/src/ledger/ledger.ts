import type { LogResult } from "@one-api/contract/logs/log";
import type { BudgetRefusal } from "./budgets/budget.ts";
import type { QuotaLedger } from "../core/quota-ledger.ts";

/** Whose balances a request uses. */
export interface Payer {
  readonly userId: number;
  readonly tokenId: number;
  /** The token has no quota of its own; only the user's counts. */
  readonly tokenUnlimited: boolean;
  /** The user or the token has a budget that renews. */
  readonly budgeted?: boolean;
}

/** Sets quota aside before the upstream is called. */
export interface Reservation extends Payer {
  readonly requestId: string;
  /** An upper bound of the charge, in quota. */
  readonly amount: number;
  /** Unix seconds. */
  readonly createdAt: number;
  /** It is a row on every database, and no recovery ends it: `settleKept` alone does, whichever process that runs in. */
  readonly outlivesProcess?: boolean;
  /** It is refused where the caller's version is another by now; undefined: the caller was read for this very request. */
  readonly callerVersion?: number | undefined;
}

/** Whose balance did not cover a reservation. */
export type ReserveRefusal = "user-quota" | "token-quota";

/** The caller is not what it was when it was read: read it again. */
export const CALLER_CHANGED = { ok: false, refusal: "caller-changed" } as const;

export type ReserveOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly refusal: ReserveRefusal }
  | typeof CALLER_CHANGED
  | ({ readonly ok: false } & BudgetRefusal);

/** The cost of a request of which nobody knows what it cost the operator. */
export const UNKNOWN_COST = -1;

/** What the log says of a request; the ledger adds what was charged. */
export interface LogRow {
  readonly user_id: number;
  /** Unix seconds. */
  readonly created_at: number;
  readonly type: number;
  readonly content: string;
  readonly username: string;
  readonly token_name: string;
  readonly model_name: string;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly channel_id: number;
  readonly request_id: string;
  /** In ms. */
  readonly elapsed_time: number;
  readonly is_stream: 0 | 1;
  readonly detail: string;
  readonly result: LogResult;
  /** HTTP status that the provider gave, or that the gateway refused with; 0 for none. */
  readonly status_code: number;
  /** What the request cost the operator, in quota, or `UNKNOWN_COST`. */
  readonly cost: number;
  /** From arrival to the first byte of the answer, in ms; 0 without one. */
  readonly first_byte_ms: number;
}

/** A row of the log that moves no money: of a request that was refused, or that costs nothing. */
export interface FreeLogRow extends LogRow {
  readonly token_id: number;
}

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

/** What a settlement did. */
export interface SettleOutcome {
  /**
   * False when nothing was booked, so that the end of the answer must not leave: this process was taken for dead, what it had set aside went
   * to others, and the balance does not cover the charge any more (settling once more with less may still work). False as well for a request
   * that was settled before or never reserved.
   */
  readonly settled: boolean;
  /** What the request has been charged in all; below its charge only when the balances did not cover more than was reserved. */
  readonly charged: number;
}

/** Called once, after the commit is on disk, or with the error. */
export type SettleCallback = (error: Error | undefined, outcome: SettleOutcome | undefined) => void;

/** What a checkpoint says for the row of the log. */
export type CheckpointColumns = Pick<LogRow, "model_name" | "prompt_tokens" | "completion_tokens">;

/** How far a request in flight has come, for the case that this process dies. */
export interface Checkpoint {
  readonly requestId: string;
  readonly channelId: number;
  /** Cost of what was delivered so far, in quota. */
  readonly delivered: number;
  /** Columns of the log of what was delivered so far. */
  readonly log?: CheckpointColumns;
}

/**
 * The only writer of balances. Quota moves in two steps: a reservation sets an upper bound aside before the upstream is called, a settlement
 * books the charge and gives the rest back. What is set aside lives in memory where one process owns the database; where several do, in rows, or in a
 * lease that the process has taken in advance.
 */
export interface Ledger {
  /** Sets quota aside, or says whose balance does not cover it: at once where it lives in memory or a lease pays, else after the commit. */
  reserve(reservation: Reservation): ReserveOutcome | Promise<ReserveOutcome>;
  /**
   * Ends a reservation exactly once: charge and log row in one commit. After an error the request is still open and may or may not be booked:
   * settling it again, also with another charge, makes what is booked equal to that charge. So it does after a commit that came too late:
   * `isLate` says then that the caller was told meanwhile that nothing is booked.
   */
  settle(settlement: Settlement, done: SettleCallback, isLate?: () => boolean): void;
  /**
   * Ends a reservation that outlives processes: charge, log row and what goes back in one commit. Whoever ends it first does; for all others it is
   * not settled and nothing happens. `held` is what was set aside. Rejects where the commit failed, or nobody knows of it: call it again then.
   */
  settleKept(settlement: Settlement, held: number): Promise<SettleOutcome>;
  /** Gives a reservation back without any row: a refusal before a provider was asked. Never fails: while the database is away it is tried again. */
  release(hold: Pick<Reservation, "requestId" | "userId" | "tokenId" | "tokenUnlimited">): void | Promise<void>;
  /** Notes the cost of what requests in flight have delivered. */
  checkpoint(checkpoints: readonly Checkpoint[]): Promise<void>;
  /** Writes rows of the log that move no money, in one commit; rows of requests that have one already are left out. */
  writeLogs(rows: readonly FreeLogRow[]): Promise<void>;
  /** What the caller could spend at the time (Unix seconds), what is set aside taken off, in quota. */
  available(payer: Payer, time: number): number | Promise<number>;
  /** Requests for which something is set aside and that are not settled yet, of this process. */
  readonly open: number;
  /** How features change balances while this ledger runs. */
  readonly quota: QuotaLedger;
  /** Waits for what is under way. Afterwards nothing is reserved or settled any more: that fails with `LedgerClosedError`. */
  close(): Promise<void>;
}

/** The process is done with this ledger. What rows still hold is given back by whoever looks after the dead. */
export class LedgerClosedError extends Error {
  override name = "LedgerClosedError";

  constructor() {
    super("The ledger is closed.");
  }
}

/** Settles, and resolves after the commit; rejects with what the callback would get. */
export function whenSettled(ledger: Pick<Ledger, "settle">, settlement: Settlement): Promise<SettleOutcome> {
  return new Promise((resolve, reject) => {
    ledger.settle(settlement, (error, outcome) => {
      if (outcome === undefined) reject(error ?? new Error("A settlement has no outcome."));
      else resolve(outcome);
    });
  });
}
