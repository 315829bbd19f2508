import type { Generated } from "kysely";
import type { Flag, Quota, UnixSeconds } from "./column-values.ts";

/**
 * A file of requests that a provider answers within a day. The batch is an owner of shares, which reserve the upper
 * bound of its charge.
 */
export interface BatchesTable {
  id: Generated<number>;
  /** Of its reservation and of its entry of the log. */
  request_id: string;
  /** The provider's id; empty until known. */
  batch_id: string;
  /**
   * `creating`: the provider was called, its answer is not stored yet. `open`: it has the batch. `closed`: charged, and
   * its files are available. `lost`: nothing was delivered or charged.
   */
  state: "creating" | "open" | "closed" | "lost";
  user_id: number;
  username: string;
  token_id: number;
  token_name: string;
  token_unlimited: Flag;
  channel_id: number;
  model: string;
  endpoint: string;
  /** The caller's file. */
  source_file_id: string;
  /** The file that was sent, with limits added. */
  input_file_id: string;
  reserved: Quota;
  /** Prices and group at its creation, as JSON. */
  terms: string;
  /** Upper bound of each line's usage by custom_id, as JSON lines; empty once charged. */
  line_bounds: string;
  line_count: number;
  /** Upper bound of all lines together; the actual use once charged. */
  model_tokens: number;
  /** The provider's latest report, as JSON. */
  data: string;
  created_at: UnixSeconds;
  checked_at: UnixSeconds;
}
