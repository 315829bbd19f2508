import type { Generated } from "kysely";
import type { Flag, Quota, UnixSeconds } from "./column-values.ts";

/**
 * Changes of balances other than charges, append-only. A user's grants are the sum of `user_amount`, a limited token's
 * that of `token_amount`.
 */
export interface LedgerEntriesTable {
  id: Generated<number>;
  created_at: UnixSeconds;
  /** grant, redeem, allot (token quota set by its owner), cleared (charges of removed log rows, by user and token). */
  kind: string;
  /** Unique id of the action, together with `kind`. */
  request_id: string;
  user_id: number;
  token_id: number;
  user_amount: Quota;
  token_amount: Quota;
  note: string;
  /** Balance of the user after a grant or a redemption; 0 if unknown, and for other kinds. */
  user_remaining: Generated<Quota>;
}

/** Owners of shares: running servers, dead ones until recovery, and batches. */
export interface OwnersTable {
  id: number;
  /** Named by every statement of the server; raising it cancels running ones. */
  epoch: Generated<number>;
  /** live, dead, charged (its checkpoints are charged too), or batch. */
  state: Generated<string>;
  /** Counts up while the server lives. */
  heartbeat: Generated<number>;
  /** Last id of the log whose charges are subtracted from its shares. */
  applied_id: Generated<number>;
  /** Of a batch; else empty. */
  request_id: Generated<string>;
}

/**
 * Part of an account that one owner may spend; owner 0 is the pool. Triggers create and delete rows with users and
 * tokens.
 */
export interface SharesTable {
  /** 1 user, 2 token, 3 budget window. */
  kind: number;
  account: number;
  owner: number;
  /** Below zero for an overcharged budget. */
  remaining: Generated<Quota>;
  used: Generated<Quota>;
  /** Charged requests, including free ones. */
  requests: Generated<number>;
  last_used_at: Generated<UnixSeconds>;
  /** Pool: an owner needs quota that others hold. Owner: it holds no more than its requests need. */
  is_scarce: Generated<Flag>;
}

/** Delivered parts of running requests at their last checkpoint, charged if the server dies. */
export interface CheckpointsTable {
  request_id: string;
  owner: number;
  user_id: number;
  token_id: number;
  token_limited: Flag;
  /** Ids of budget windows; 0 for none. */
  user_budget: Generated<number>;
  token_budget: Generated<number>;
  channel_id: number;
  delivered: Quota;
  created_at: UnixSeconds;
  model_name: string;
  prompt_tokens: number;
  completion_tokens: number;
}

/** Spending limits per period. A new period is another row. */
export interface BudgetsTable {
  id: Generated<number>;
  user_id: number;
  /** 0 for the user's own budget, which counts all tokens. */
  token_id: number;
  amount: Quota;
  period: string;
  since: UnixSeconds;
}

/** Periods of budgets with requests; each is an account. */
export interface BudgetWindowsTable {
  id: Generated<number>;
  budget_id: number;
  window_start: UnixSeconds;
  removed: Generated<Quota>;
}

/** Use of each budget in its newest period: a view. Reservations of batches count as used. */
export interface BudgetUsesView {
  readonly budget_id: number;
  readonly window_start: UnixSeconds;
  readonly spent: Quota;
}
