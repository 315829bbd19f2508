import type { Generated } from "kysely";
import type { Flag, Quota, UnixSeconds } from "./column-values.ts";

/**
 * Log entries and the ledger's journal in one table. Consumption is unique by request id, and so are refunds: only this
 * prevents a second charge.
 */
export interface LogsTable {
  id: Generated<number>;
  user_id: number;
  created_at: UnixSeconds;
  type: number;
  content: string;
  username: string;
  token_name: string;
  model_name: string;
  quota: Quota;
  prompt_tokens: number;
  completion_tokens: number;
  cached_tokens: Generated<number>;
  channel_id: number;
  request_id: string;
  /** In ms. */
  elapsed_time: number;
  is_stream: Flag;
  /** JSON without the values of other columns: both make the contract's log detail. Empty for none. */
  detail: string;
  /** One of the contract's log results; empty for entries without a request. */
  result: Generated<string>;
  status_code: Generated<number>;
  /** 0 without a token, and in older rows of free requests. */
  token_id: Generated<number>;
  /** Part of the charge taken from a limited token. */
  token_amount: Generated<Quota>;
  /** Part of the charge that the balance did not cover. */
  shortfall: Generated<Quota>;
  /** 1 if the log was off or this row removed: only the columns of the charge count. */
  hidden: Generated<Flag>;
  /** Cost to the operator, in quota; -1 if unknown. */
  cost: Generated<number>;
  /** From arrival to the first byte of the answer, in ms; 0 without one. */
  first_byte_ms: Generated<number>;
  owner: Generated<number>;
  /** Budget windows that it counts in; 0 for none. */
  user_budget: Generated<number>;
  token_budget: Generated<number>;
  group_budget: Generated<number>;
  /** Requested name, if it is an alias; empty for none and in entries of older versions. */
  alias: Generated<string>;
  /** Model of the alias in the first attempt, if it differs from `model_name`; else empty. */
  first_model: Generated<string>;
  /** Facts of a request for an alias, see the contract's `writeFacts`; -1 if unknown. */
  alias_facts: Generated<number>;
}

/** Ranges of removed or hidden entries, for the log store. The newest row stays, so the table is never empty. */
export interface LogChangesTable {
  id: Generated<number>;
  first_id: number;
  last_id: number;
  first_day: number;
  last_day: number;
  created_at: UnixSeconds;
}

/** Usage of removed entries: by user, token and model (kind 0), and by channel and model (kind 1). */
export interface ClearedUsageTable {
  kind: number;
  /** Days since 1970, UTC. */
  day: number;
  user_id: number;
  token_name: string;
  model_name: string;
  channel_id: number;
  requests: Generated<number>;
  refused: Generated<number>;
  errors: Generated<number>;
  quota: Generated<number>;
  cost: Generated<number>;
  unknown_requests: Generated<number>;
  unknown_quota: Generated<number>;
  prompt_tokens: Generated<number>;
  cached_tokens: Generated<number>;
  completion_tokens: Generated<number>;
}

export interface StoredBodiesTable {
  request_id: string;
  token_id: number;
  user_id: number;
  created_at: UnixSeconds;
  /** Bytes of both texts. */
  size: number;
  /** Bytes received and sent, before truncation. */
  request_bytes: number;
  answer_bytes: number;
  request_is_truncated: Flag;
  answer_is_truncated: Flag;
  request: string;
  answer: string;
}

/** Named sets of filters, one row per name. */
export interface SavedViewsTable {
  id: Generated<number>;
  user_id: number;
  page: string;
  name: string;
  search: string;
  created_at: UnixSeconds;
  is_shared: Generated<Flag>;
}

export interface DefaultViewsTable {
  user_id: number;
  page: string;
  view_id: number;
}
