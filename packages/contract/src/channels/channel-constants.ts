/** `dormant` ends at `awake_time`; `reserve` waits until restocking enables the channel. */
export const CHANNEL_STATUS = { enabled: 1, disabled: 2, autoDisabled: 3, dormant: 4, reserve: 5 } as const;

export const KEY_STATUS = { enabled: 1, disabled: 2, autoDisabled: 3 } as const;

export const MAX_CHANNEL_KEYS = 200;

export const MAX_CHANNEL_BATCH = 1_000;

export const CHANNEL_LIMITS = {
  nameLength: 128,
  otherLength: 2_000,
  organizationLength: 254,
  proxyLength: 1_000,
  systemPromptLength: 64_000,
  softLimitUsd: 1_000_000_000,
  lowestPriority: -1_000_000,
  priority: 1_000_000,
  weight: 1_000_000,
  tagLength: 64,
  tags: 20,
  testModelLength: 200,
  deadlineSeconds: 86_400,
  checkMinutes: 10_080,
} as const;

/** Interval of a scheduled check that is the one of the settings. */
export const CHECK_AS_SET = -1;

/** Orders by state and the requests of the last 24 hours. `trouble`: disabled automatically, then with a hint, then by failed requests. */
export const CHANNEL_TRAFFIC_ORDERS = ["trouble", "requests", "error_rate", "spend", "first_byte"] as const;

export const CHANNEL_ORDERS = [
  "id",
  "name",
  "group",
  "type",
  "status",
  "response_time",
  "balance",
  "priority",
  ...CHANNEL_TRAFFIC_ORDERS,
] as const;

export const MAX_BULK_CHANNELS = 1_000;

/** Problems of a channel: the provider refused its key or account, its test was too slow, or it has spent its limit. */
export const CHANNEL_HINTS = ["key-refused", "out-of-credit", "slow", "spending-limit"] as const;

/** Dialects that a channel may speak at an address of their own. */
export const CHANNEL_DIALECTS = ["openai", "responses", "anthropic", "gemini"] as const;

export type ChannelDialect = (typeof CHANNEL_DIALECTS)[number];
