/** States of a user; rows in state 3 are deleted and never listed. */
export const USER_STATUS = { enabled: 1, disabled: 2, deleted: 3 } as const;

export const MIN_PASSWORD_LENGTH = 8;

export const USER_ORDERS = [
  "id",
  "username",
  "group",
  "quota",
  "used_quota",
  "request_count",
  "role",
  "status",
  "created_at",
] as const;

export const USER_LIMITS = { nameLength: 64, passwordLength: 128, groupLength: 256, remarkLength: 256 } as const;

/** Seconds that every button which sends a mail waits before it may be pressed again. */
export const MAIL_COUNTDOWN_SECONDS = 30;
