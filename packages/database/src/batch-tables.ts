import type { Generated } from "kysely";
import type { Flag, Quota, UnixSeconds } from "./column-values.ts";

/** A file of requests that a provider answers within a day. The upper bound of its charge is reserved: the batch is an owner of shares. */
export interface BatchesTable {
  id: Generated<number>;
  /** Of its reservation and of its entry of the log. */
  request_id: string;
  /** The provider's own id; empty until that is known. */
  batch_id: string;
  /**
   * `creating`: the provider is being asked, or nobody has noted its answer. `open`: the provider has it. `closed`: what it delivered is charged and
   * its files are open to their owner. `lost`: nothing of it was ever handed out, and nothing is charged.
   */
  state: "creating" | "open" | "closed" | "lost";
  user_id: number;
  username: string;
  token_id: number;
  token_name: string;
  token_unlimited: Flag;
  channel_id: number;
  /** As the caller names it. */
  model: string;
  endpoint: string;
  /** The file that the caller named. */
  source_file_id: string;
  /** The file that was bounded and sent. */
  input_file_id: string;
  /** Set aside for it. */
  reserved: Quota;
  /** Prices and group as they were when it was made, as JSON. */
  terms: string;
  /** What each line can use at the most, by its custom_id, as lines of JSON; empty once it is charged. */
  line_bounds: string;
  line_count: number;
  /** What all lines can use at the most; what they used once it is charged. */
  model_tokens: number;
  /** What the provider said of it last, as JSON. */
  data: string;
  created_at: UnixSeconds;
  /** When the provider was asked last. */
  checked_at: UnixSeconds;
}
