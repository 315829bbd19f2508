import type { Generated } from "kysely";
import type { Flag, Quota, UnixSeconds } from "./column-values.ts";

// The log, what is made of it, and what is kept beside it for people who look into requests.

/**
 * What people see on the log page, and what every relayed request was charged: one row for both, and the ledger's journal. Entries of the type
 * consumption are unique by request id, which alone forbids a second charge; so are refunds.
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
  /** What the user was charged. */
  quota: Quota;
  prompt_tokens: number;
  completion_tokens: number;
  /** Prompt tokens that the provider read from its cache. */
  cached_tokens: Generated<number>;
  channel_id: number;
  request_id: string;
  /** In ms. */
  elapsed_time: number;
  is_stream: Flag;
  /** JSON, without what other columns say: the contract's log detail is made of both. Empty without. */
  detail: string;
  /** One of the contract's log results; empty for entries without a request. */
  result: Generated<string>;
  /** HTTP status that the provider gave, or that the gateway refused with; 0 for none. */
  status_code: Generated<number>;
  /** 0 where no token is involved, and in earlier versions' rows of requests that cost nothing. */
  token_id: Generated<number>;
  /** What of the charge was taken from a limited token. */
  token_amount: Generated<Quota>;
  /** What the request would have cost beyond the balance, for lack of cover. */
  shortfall: Generated<Quota>;
  /** 1 when the log was switched off or cleaned: only the columns of the charge count. */
  hidden: Generated<Flag>;
  /** What the request cost the operator, in quota; -1 where nobody knows. */
  cost: Generated<number>;
  /** From arrival to the first byte of the answer, in ms; 0 without one. */
  first_byte_ms: Generated<number>;
  /** Whose share pays; 0 for none, or where it was paid at once. */
  owner: Generated<number>;
  /** Budget windows that it counts in; 0 for none. */
  user_budget: Generated<number>;
  token_budget: Generated<number>;
}

/** Ranges of entries that were removed or hidden, for the log store. The newest row always stays, so it is never empty. */
export interface LogChangesTable {
  id: Generated<number>;
  first_id: number;
  last_id: number;
  /** Days of these entries, since 1970, UTC. */
  first_day: number;
  last_day: number;
  created_at: UnixSeconds;
}

/** Usage of entries that were cleared: once by user, token and model (kind 0), once by channel and model (kind 1). */
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

/** What a request of a token that keeps its bodies said and was answered, without keys and files. */
export interface StoredBodiesTable {
  request_id: string;
  token_id: number;
  user_id: number;
  created_at: UnixSeconds;
  /** Bytes of both texts. */
  size: number;
  /** Bytes that came and left. */
  request_bytes: number;
  answer_bytes: number;
  /** More came than is kept. */
  request_is_truncated: Flag;
  answer_is_truncated: Flag;
  request: string;
  answer: string;
}

/** Sets of filters that users have named, one row a name. */
export interface SavedViewsTable {
  id: Generated<number>;
  user_id: number;
  /** Which list it is of. */
  page: string;
  name: string;
  /** JSON of the address's search fields. */
  search: string;
  created_at: UnixSeconds;
  /** 1 while everybody sees it. */
  is_shared: Generated<Flag>;
}

/** The saved view that a list begins with for a user. */
export interface DefaultViewsTable {
  user_id: number;
  page: string;
  view_id: number;
}
