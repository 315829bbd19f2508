import type { UnixSeconds } from "@one-api/database/column-values";
import type { BudgetPeriod } from "@one-api/contract/budget";
import type { LogResult } from "@one-api/contract/logs/log";
import type { QuotaLedger } from "./quota.ts";

export interface BudgetOfPayer {
  readonly id: number;
  readonly of: "user" | "token" | "group";
  readonly period: BudgetPeriod;
  /** Quota of each period; for error messages. */
  readonly amount: number;
}

export interface Payer {
  readonly userId: number;
  readonly tokenId: number;
  /** The token has no quota of its own; only the user's counts. */
  readonly tokenUnlimited: boolean;
  /** Budgets of the user, the token and a group; at most one of each. */
  readonly budgets?: readonly BudgetOfPayer[] | undefined;
}

/** Reserves quota before the provider is called. */
export interface Reservation extends Payer {
  readonly requestId: string;
  /** An upper bound of the charge, in quota. */
  readonly amount: number;
  readonly createdAt: UnixSeconds;
}

export interface BudgetRefusal {
  readonly refusal: "user-budget" | "token-budget" | "group-budget";
  readonly budget: {
    readonly amount: number;
    readonly period: BudgetPeriod;
    /** In quota. */
    readonly left: number;
    readonly renewsAt: UnixSeconds;
  };
}

export type ReserveOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly refusal: "user-quota" | "token-quota" }
  | ({ readonly ok: false } & BudgetRefusal)
  /** A server that does not answer holds a part of the quota; a later retry may succeed. */
  | { readonly ok: false; readonly refusal: "held-elsewhere"; readonly retryAfterSeconds: number };

/** Cost of a request whose cost to the operator is unknown. */
export const UNKNOWN_COST = -1;

/** Log entry of a request: columns of `LogsTable`. The ledger adds the charge. */
export interface LogRow {
  readonly user_id: number;
  readonly created_at: UnixSeconds;
  readonly type: number;
  readonly content: string;
  readonly username: string;
  readonly token_name: string;
  readonly model_name: string;
  readonly prompt_tokens: number;
  readonly cached_tokens: number;
  readonly completion_tokens: number;
  readonly channel_id: number;
  readonly request_id: string;
  readonly elapsed_time: number;
  readonly is_stream: 0 | 1;
  readonly detail: string;
  readonly result: LogResult;
  readonly status_code: number;
  /** Cost of the request to the operator, in quota, or `UNKNOWN_COST`. */
  readonly cost: number;
  readonly first_byte_ms: number;
  readonly alias?: string;
  readonly first_model?: string;
  /** See `writeFacts`; by default unknown. */
  readonly alias_facts?: number;
}

/** A row of the log that moves no money: of a request that was refused, or that costs nothing. */
export interface FreeLogRow extends LogRow {
  readonly token_id: number;
}

/** Ends a reservation: charge and log row in one commit. */
export interface Settlement extends Payer {
  readonly requestId: string;
  readonly channelId: number;
  /** Charge in quota; 0 for a free answer, which is counted. Undefined when nothing was delivered: the reservation is released. */
  readonly charge: number | undefined;
  /** Undefined when usage logs are switched off. */
  readonly log: LogRow | undefined;
  readonly at: UnixSeconds;
}

export interface SettleOutcome {
  /**
   * False if this settlement charges nothing, so the end of the answer must not be sent: the server was declared dead, or the request was settled
   * before or never reserved.
   */
  readonly settled: boolean;
  /** Quota charged in total. Less than the charge only if the accounts did not cover more than the reservation. */
  readonly charged: number;
}

/** Called once, after the commit is on disk, or with the error. */
export type SettleCallback = (error: Error | undefined, outcome: SettleOutcome | undefined) => void;

/** Delivered part of a running request. It is charged if this server dies. */
export interface Checkpoint {
  readonly requestId: string;
  readonly channelId: number;
  /** Cost of the delivered part, in quota. */
  readonly delivered: number;
  readonly log?: Pick<LogRow, "model_name" | "prompt_tokens" | "completion_tokens">;
}

/**
 * The only writer of balances. A reservation takes an upper bound from the server's shares, in memory; a settlement appends the charge to the
 * journal in one commit. See README.md.
 */
export interface Ledger {
  /** Reserves, or names the account that does not cover it; synchronously if the server's shares cover it. Rejects if the database is unavailable. */
  reserve(reservation: Reservation): ReserveOutcome | Promise<ReserveOutcome>;
  /**
   * Ends a reservation exactly once. After an error the charge is uncertain: settle again, also with another charge; a stored charge is lowered by a
   * refund, never raised. `isLate` is true after a commit whose caller was already told that nothing is charged: one more settlement may lower it.
   */
  settle(settlement: Settlement, done: SettleCallback, isLate?: () => boolean): void;
  /** Releases a reservation without any row: a refusal before a provider was asked. */
  release(request: { readonly requestId: string }): void;
  /** Stores the delivered parts of running requests, each up to its reservation. */
  checkpoint(checkpoints: readonly Checkpoint[]): Promise<void>;
  /** Writes rows of the log that move no money, in one commit; rows of requests that have one already are left out. */
  writeLogs(rows: readonly FreeLogRow[]): Promise<void>;
  /** Returns the quota that the payer could reserve at a time (Unix seconds), without the shares of other servers. */
  available(payer: Payer, time: number): Promise<number>;
  /** Subtracts charges from shares and counts them for channels now, instead of within a second. */
  applyCharges(): Promise<void>;
  /** Requests of this server that are reserved and not settled. */
  readonly open: number;
  /** Changes balances for features while this ledger runs. */
  readonly quota: QuotaLedger;
  /** Waits for running statements, returns all shares, and ends. Later calls fail with `LedgerClosedError`. */
  close(): Promise<void>;
}

/** A server among the live servers of a database, in the order of their ids. */
export interface ServerPlace {
  /** From 0. */
  readonly index: number;
  readonly count: number;
}

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
