/** States of a channel. `dormant` wakes by itself at `awake_time`; `reserve` waits until restocking enables it. */
export const CHANNEL_STATUS = { enabled: 1, disabled: 2, autoDisabled: 3, dormant: 4, reserve: 5 } as const;

/** How many channels one call may create (one per key line). */
export const MAX_CHANNEL_BATCH = 1_000;

/** Bounds of a channel's fields, for the schema and for the forms that fill it in. Lengths are in characters. */
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
} as const;

/** Orders of the list of channels; by default the newest come first. */
export const CHANNEL_ORDERS = [
  "id",
  "name",
  "group",
  "type",
  "status",
  "response_time",
  "balance",
  "priority",
] as const;

/** How many channels one call may change or delete. */
export const MAX_BULK_CHANNELS = 1_000;

/** What may stand against a channel: the key or the account behind it was refused, it was too slow, or it has spent its limit. */
export const CHANNEL_HINTS = ["key-refused", "out-of-credit", "slow", "spending-limit"] as const;
