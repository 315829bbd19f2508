/** States of a token. The list's toggle switches between enabled and disabled. */
export const TOKEN_STATUS = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const;

export const NEVER_EXPIRES = -1;

/** Values of the form of a new token. Limits are per minute; `tpm_limit` counts thousands of tokens. */
export const TOKEN_DEFAULTS = {
  remain_quota: 500_000,
  rpm_limit: 600,
  dpm_limit: 60,
  tpm_limit: 60,
  validSeconds: 30 * 24 * 3600,
} as const;

export const TOKEN_QUOTA_PRESETS = [
  { dollars: 5, quota: 2_500_000 },
  { dollars: 10, quota: 5_000_000 },
  { dollars: 15, quota: 7_500_000 },
  { dollars: 20, quota: 10_000_000 },
  { dollars: 100, quota: 50_000_000 },
  { dollars: 120, quota: 60_000_000 },
] as const;

export const KEY_OVERLAPS = [0, 3_600, 86_400, 604_800] as const;

export const TOKEN_LIMITS = {
  nameLength: 64,
  groupLength: 1_000,
  contactLength: 254,
  perMinute: 10_000_000,
  rechargeDollars: 1_000_000_000,
  batch: 100,
  leastBatch: 1,
} as const;

/** Orders of the list of tokens. Unlimited tokens have the most left. */
export const TOKEN_ORDERS = [
  "name",
  "status",
  "used_quota",
  "remain_quota",
  "created_time",
  "expired_time",
  "accessed_time",
] as const;
