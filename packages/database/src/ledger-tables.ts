import type { Generated } from "kysely";
import type { Flag, Quota, UnixSeconds } from "./column-values.ts";

// What the ledger writes beside balances and the log.

/**
 * Every change of a balance that is no charge, never changed or deleted. What a user was given is the sum of `user_amount`; what a limited
 * token was given, that of `token_amount`.
 */
export interface LedgerEntriesTable {
  id: Generated<number>;
  created_at: UnixSeconds;
  /** grant, redeem, allot (token quota set by its owner), cleared (charges whose log rows are gone, summed up by user and token). */
  kind: string;
  /** A unique id of the action; unique together with `kind`. */
  request_id: string;
  user_id: number;
  /** 0 where no token is involved. */
  token_id: number;
  user_amount: Quota;
  token_amount: Quota;
  note: string;
}

/**
 * Requests in flight that must not be lost with their process: quota set aside for them where several processes own the database, and what
 * they had delivered at their last checkpoint. A row goes when its request is settled or released.
 */
export interface RelayHoldsTable {
  request_id: string;
  user_id: number;
  token_id: number;
  token_unlimited: Flag;
  /** Taken from the user's balance; 0 where holds live in memory or a lease stands behind it. */
  user_amount: Quota;
  /** Taken from a limited token's balance; 0 as well. */
  token_amount: Quota;
  /** Cost of what was delivered at the last checkpoint: charged when the process dies. */
  delivered_quota: Generated<Quota>;
  channel_id: Generated<number>;
  instance_id: string;
  created_at: UnixSeconds;
  /** Of the last checkpoint, as are the tokens. */
  model_name: Generated<string>;
  prompt_tokens: Generated<number>;
  completion_tokens: Generated<number>;
}

/**
 * What a server of several has set aside of balances in advance, for requests that then need no row: it stays in the balance until it is charged, and
 * nobody else may set it aside. A row goes when nothing of it is set aside any more.
 */
export interface QuotaLeasesTable {
  instance_id: string;
  user_id: number;
  token_id: number;
  amount: Quota;
  /** 0 where the token has no quota of its own. */
  token_amount: Quota;
  /** Nothing more of it is given to requests: what those in flight need not has gone back. */
  closed: Generated<Flag>;
}

/**
 * What commits have changed of balances and nobody has added to them yet: at most some seconds' worth, on SQLite alone. Who reads balances adds it, or
 * has it added first.
 */
export interface BalanceChangesTable {
  id: number;
  /** JSON: a list of changes, each of [0, user, remaining, used, requests] or [1, token, remaining, used, last used at]; the last two of a user and `used` of a token are added. */
  changes: string;
}

/** What a user or a token may spend in each period of time, and what of it is spent. */
export interface BudgetsTable {
  user_id: number;
  /** 0 for the user's own budget, which counts all tokens. */
  token_id: number;
  amount: Quota;
  /** One of the contract's periods. */
  period: string;
  /** When it was set: requests that began before do not count. */
  since: UnixSeconds;
  /** The start of the period that `spent` is about. */
  window_start: UnixSeconds;
  /** The sum of its uses in that period. */
  spent: Quota;
}

/** What requests take of budgets: set aside where holds are rows, then what they were charged. Rows of periods that are over mean nothing. */
export interface BudgetUsesTable {
  request_id: string;
  user_id: number;
  /** As in the budget. */
  token_id: number;
  window_start: UnixSeconds;
  amount: Quota;
}

/** Running server processes. Holds of one that stopped beating are recovered by another. */
export interface InstancesTable {
  id: string;
  started_at: UnixSeconds;
  beat_at: UnixSeconds;
}
