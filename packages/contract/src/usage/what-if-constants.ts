/** Days of requests that an estimate may take. */
export const WHAT_IF_DAYS = [7, 30] as const;

export const WHAT_IF_LIMITS = {
  /** Changed channels. */
  channels: 200,
  /** Models in an answer. */
  models: 50,
} as const;
