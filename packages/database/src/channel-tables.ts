import type { Generated } from "kysely";
import type { Flag, Quota, UnixSeconds } from "./column-values.ts";

export interface ChannelsTable {
  id: Generated<number>;
  type: number;
  name: string;
  key_cipher: string;
  status: number;
  /** Reason of an automatic disabling; else empty. */
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
  /** JSON without secrets. */
  config: string;
  /** Secrets of the config as JSON in AES-256-GCM; empty for none. */
  config_cipher: string;
  priority: number;
  weight: number;
  created_time: UnixSeconds;
  test_time: Generated<UnixSeconds>;
  /** Duration of the last test in ms; 0 for untested or failed. */
  response_time: Generated<number>;
  /** Of a channel with several keys: the whole sum at the last check, for the last release. */
  balance: Generated<number>;
  balance_updated_time: Generated<UnixSeconds>;
  /** End of the provider's limit of the whole account; 0 or past for none. */
  awake_time: Generated<UnixSeconds>;
  used_quota: Generated<Quota>;
  /** `used_quota` at the start of the spending limit. */
  soft_limit_base_quota: Generated<Quota>;
  /** JSON of the contract's last test; empty for untested. */
  last_test: Generated<string>;
  /** JSON of the contract's channel hint; empty without. */
  status_hint: Generated<string>;
  /** Models in the provider's latest list, comma-separated; empty for never fetched. */
  provider_models: Generated<string>;
  /** Operator's costs of its models as JSON; empty for those of the maintained list. */
  costs: Generated<string>;
  tags: Generated<string>;
  /** Outbound proxy without its login, `direct`, or empty for the setting HttpProxy. */
  proxy: Generated<string>;
  /** The proxy with its login in AES-256-GCM; empty without a login. */
  proxy_cipher: Generated<string>;
  /** Addresses of dialects beside base_url: JSON; empty for none. */
  dialect_urls: Generated<string>;
  /** Changes of upstream requests: JSON of the contract's overrides; empty for none. */
  overrides: Generated<string>;
  /** In seconds; 0 for the server's default: to the first token of a stream, without a piece of an answer, for an answer. */
  first_token_seconds: Generated<number>;
  idle_seconds: Generated<number>;
  total_seconds: Generated<number>;
  /** End of a pause by an administrator; 0 or past for none. */
  paused_until: Generated<UnixSeconds>;
  /** Known end of its key; 0 for none. */
  key_expires_at: Generated<UnixSeconds>;
  /** Model of its tests; empty for the default. */
  test_model: Generated<string>;
  /** 1 if the gateway probes and checks it unasked. */
  scheduled_checks: Generated<Flag>;
  /** Minutes between its scheduled checks; 0 for never, -1 for the intervals of the settings. */
  test_minutes: Generated<number>;
  balance_minutes: Generated<number>;
  models_minutes: Generated<number>;
  /** Time of the next probe of an automatically disabled channel; 0 before the first. */
  probe_time: Generated<UnixSeconds>;
  failed_probes: Generated<number>;
  /** Last scheduled requests for the balance and for the provider's models, also failed ones. */
  test_check_time: Generated<UnixSeconds>;
  balance_check_time: Generated<UnixSeconds>;
  models_check_time: Generated<UnixSeconds>;
  /** Last claim of a scheduled check by one of the servers. */
  check_time: Generated<UnixSeconds>;
}

/** Keys of a channel that holds several. The channel's own key is the first of them. */
export interface ChannelKeysTable {
  id: Generated<number>;
  channel_id: number;
  key_cipher: string;
  /** Its last four characters. */
  key_end: string;
  status: number;
  weight: number;
  status_reason: Generated<string>;
  /** JSON of the contract's hint: the same reason as code and parts; empty for none. */
  status_hint: Generated<string>;
  disabled_at: Generated<UnixSeconds>;
  probe_time: Generated<UnixSeconds>;
  failed_probes: Generated<number>;
  expires_at: Generated<UnixSeconds>;
  /** Last balance that the provider reported for it. */
  balance: Generated<number>;
  /** 0 before the first report. */
  balance_updated_time: Generated<UnixSeconds>;
  /** Why the last request for the balance failed, without secrets; else empty. */
  balance_error: Generated<string>;
  balance_error_time: Generated<UnixSeconds>;
}

/** Automatic decisions about channels. A repetition within an hour increases the count of its row. */
export interface ChannelDecisionsTable {
  id: Generated<number>;
  channel_id: number;
  kind: string;
  model: string;
  /** One of the contract's reasons. */
  code: string;
  /** In English; a provider's text without secrets. */
  message: string;
  /** JSON of the contract's parts of the reason; empty for none. */
  parts: Generated<string>;
  first_at: UnixSeconds;
  last_at: UnixSeconds;
  /** End of the decision; 0 for no fixed one. */
  until: UnixSeconds;
  times: number;
  undone_at: Generated<UnixSeconds>;
}

export interface ChannelModelsTable {
  group: string;
  model: string;
  channel_id: number;
}

/** Object that a provider stores for a user. Only the owner's tokens can access it, over its channel. */
export interface StoredObjectsTable {
  id: Generated<number>;
  /** The provider's id. */
  object_id: string;
  kind: "file" | "response";
  user_id: number;
  token_id: number;
  channel_id: number;
  size: number;
  created_at: UnixSeconds;
  expires_at: UnixSeconds;
  /** The provider's report at its creation, as JSON; empty if it is fetched each time. */
  data: string;
}
