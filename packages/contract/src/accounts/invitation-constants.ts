export const INVITATION_LIMITS = {
  nameLength: 64,
  groupLength: 256,
  days: 365,
  leastDays: 1,
  count: 100,
  leastCount: 1,
} as const;

export const INVITATION_DEFAULTS = { quota: 0, days: 7, count: 1 } as const;

export const INVITATION_STATES = ["all", "open", "used", "expired"] as const;

export type InvitationState = (typeof INVITATION_STATES)[number];
