export const WHAT_IF_DAYS = [7, 30] as const;

export const WHAT_IF_LIMITS = {
  channels: 200,
  models: 50,
} as const;
