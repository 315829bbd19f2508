import type { Generated } from "kysely";
import type { Flag, Quota, UnixSeconds } from "./column-values.ts";

// Where requests go, and what is kept there.

/** Connections to providers. */
export interface ChannelsTable {
  id: Generated<number>;
  type: number;
  name: string;
  /** The provider's key in AES-256-GCM. */
  key_cipher: string;
  status: number;
  /** Why it was disabled automatically; empty otherwise. */
  status_reason: Generated<string>;
  base_url: string;
  other: string;
  models: string;
  group: string;
  model_mapping: string;
  system_prompt: string;
  organization: string;
  soft_limit_usd: number;
  calc_prompt: Flag;
  /** JSON text without its secret parts. */
  config: string;
  /** The secret parts of the config as JSON in AES-256-GCM; empty when there are none. */
  config_cipher: string;
  priority: number;
  weight: number;
  created_time: UnixSeconds;
  test_time: Generated<UnixSeconds>;
  /** Of the last test, in ms; 0 for untested or failed. */
  response_time: Generated<number>;
  balance: Generated<number>;
  balance_updated_time: Generated<UnixSeconds>;
  /** Until when the provider limits the whole account; 0 or past while it does not. */
  awake_time: Generated<UnixSeconds>;
  used_quota: Generated<Quota>;
  /** `used_quota` when the spending limit began to count. */
  soft_limit_base_quota: Generated<Quota>;
  /** JSON of the contract's last test; empty for untested. */
  last_test: Generated<string>;
  /** JSON of the contract's channel hint; empty without. */
  status_hint: Generated<string>;
  /** Comma-separated models that the provider listed when it was last asked; empty for never. */
  provider_models: Generated<string>;
  /** JSON of what its models cost the operator; empty for what the maintained list says. */
  costs: Generated<string>;
  /** Comma-separated words that group channels. */
  tags: Generated<string>;
}

/** What the gateway decided about channels by itself. A decision that comes again within an hour is counted in its row. */
export interface ChannelDecisionsTable {
  id: Generated<number>;
  channel_id: number;
  /** One of the contract's kinds. */
  kind: string;
  /** The model that it is about, by the provider's name; empty for the whole channel. */
  model: string;
  /** Why: one of the contract's reasons. */
  code: string;
  /** Why, in English; a provider's own words without secrets. */
  message: string;
  /** JSON of the contract's parts of the reason; empty without. */
  parts: Generated<string>;
  first_at: UnixSeconds;
  last_at: UnixSeconds;
  /** Until when it holds; 0 until something else happens. */
  until: UnixSeconds;
  times: number;
  /** When an administrator took it back; 0 while nobody has. */
  undone_at: Generated<UnixSeconds>;
}

/** The model index: which channel serves which model to which group. */
export interface ChannelModelsTable {
  group: string;
  model: string;
  channel_id: number;
}

/** What a provider keeps for a caller: only its owner's tokens reach it, at the channel that has it. */
export interface StoredObjectsTable {
  id: Generated<number>;
  /** The provider's own id. */
  object_id: string;
  kind: "file" | "response";
  user_id: number;
  token_id: number;
  channel_id: number;
  /** In bytes; 0 where it does not count. */
  size: number;
  created_at: UnixSeconds;
  /** 0 is never. */
  expires_at: UnixSeconds;
  /** What the provider said of it when it was made, as JSON; empty where it is asked each time. */
  data: string;
}
