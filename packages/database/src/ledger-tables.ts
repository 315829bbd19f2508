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

/** Who may spend shares: running servers, those that died until they are recovered, and batches. */
export interface OwnersTable {
  id: number;
  /** Every statement of a server names it; raising it cancels those that are under way. */
  epoch: Generated<number>;
  /** live, dead, charged (its checkpoints are charged too), or batch. */
  state: Generated<string>;
  /** Counts up while the server lives. */
  heartbeat: Generated<number>;
  /** The last id of the log whose charges are subtracted from its shares. */
  applied_id: Generated<number>;
  /** Of a batch; else empty. */
  request_id: Generated<string>;
}

/** The part of an account that one owner may spend; owner 0 is the pool. Rows begin and end with their users and tokens, by triggers. */
export interface SharesTable {
  /** 1 user, 2 token, 3 budget window. */
  kind: number;
  account: number;
  owner: number;
  /** Below zero for a budget that was charged more than it had. */
  remaining: Generated<Quota>;
  used: Generated<Quota>;
  /** Requests that were charged, free ones among them. */
  requests: Generated<number>;
  /** Unix seconds; 0 for never. */
  last_used_at: Generated<UnixSeconds>;
  /** Of the pool: an owner needs what others hold. Of an owner: it holds no more than its requests need. */
  is_scarce: Generated<Flag>;
}

/** What running requests had delivered at their last checkpoint: it is charged when their server dies. */
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

/** What a user or a token may spend in each period of time. A budget of another period is another row. */
export interface BudgetsTable {
  id: Generated<number>;
  user_id: number;
  /** 0 for the user's own budget, which counts all tokens. */
  token_id: number;
  amount: Quota;
  /** One of the contract's periods. */
  period: string;
  since: UnixSeconds;
}

/** Periods of budgets that requests count in: each is an account. */
export interface BudgetWindowsTable {
  id: Generated<number>;
  budget_id: number;
  window_start: UnixSeconds;
  /** Charges whose rows of the log are gone. */
  removed: Generated<Quota>;
}

/** What is spent of each budget in its newest period: a view. What batches reserve is spent. */
export interface BudgetUsesView {
  readonly budget_id: number;
  readonly window_start: UnixSeconds;
  readonly spent: Quota;
}
