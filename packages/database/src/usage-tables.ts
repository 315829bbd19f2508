import type { Generated } from "kysely";
import type { Quota } from "./column-values.ts";
import type { LogsTable } from "./log-tables.ts";

// What is added up of the log, for the dashboard and the status page.

/** A part of what is added up of everybody's requests in a span of time, as text (`features/usage`): all parts of a span together are its sums. */
export interface UsagePartsTable {
  /** 0: all together, 1: by model, 2: by channel, 3: by user, 4: by token. */
  view: number;
  /** How long the span is: 0 for half an hour, then each twice as long or three times (`features/usage/slot-spans.ts`). */
  level: number;
  /** Spans of this length from the Unix epoch to it. */
  slot: number;
  part: number;
  sums: string;
}

/** The number that stands for a user's token where sums are told apart by token. */
export interface UsageTokensTable {
  id: Generated<number>;
  user_id: number;
  token_name: string;
}

/** What is added up of a user's requests in half an hour; see `features/usage/usage-sums.ts`. */
export interface UsageOfUsersTable {
  user_id: number;
  /** Half hours from the Unix epoch to it. */
  slot: number;
  token_name: string;
  model_name: string;
  requests: number;
  refused: number;
  errors: number;
  quota: Quota;
  cost: Quota;
  unknown_requests: number;
  unknown_quota: Quota;
  prompt_tokens: number;
  completion_tokens: number;
  timed: number;
  first_log: number;
}

/** What is added to the sums of a bucket of users by a step and waits to be written, as text; see `features/usage/usage-of-users.repository.ts`. */
export interface UsagePendingTable {
  bucket: number;
  step: number;
  sums: string;
}

/** How far the log is added up: one row. */
export interface UsageProgressTable {
  id: number;
  last_id: number;
  newest_slot: number;
  /** How often something was added. */
  steps: Generated<number>;
}

/** An entry of the log that is in the sums and was booked anew: what the sums must lose. */
export interface UsageCorrectionsTable extends Pick<
  LogsTable,
  | "user_id"
  | "created_at"
  | "token_name"
  | "model_name"
  | "channel_id"
  | "quota"
  | "cost"
  | "prompt_tokens"
  | "completion_tokens"
  | "is_stream"
  | "result"
  | "status_code"
  | "first_byte_ms"
> {
  id: Generated<number>;
}
