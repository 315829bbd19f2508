/** States of a redemption code. The list's toggle switches between unused and disabled; used is for ever. */
export const REDEMPTION_STATUS = { unused: 1, disabled: 2, used: 3 } as const;

export const REDEMPTION_DEFAULTS = { quota: 100_000, count: 1 } as const;

export const REDEMPTION_LIMITS = {
  nameLength: 64,
  keyLength: 128,
  count: 1_000,
  leastCount: 1,
} as const;

export const REDEMPTION_ORDERS = ["id", "name", "status", "quota", "created_time", "redeemed_time"] as const;
