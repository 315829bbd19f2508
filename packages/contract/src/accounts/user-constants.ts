/** States of a user; rows in state 3 are deleted and never listed. */
export const USER_STATUS = { enabled: 1, disabled: 2, deleted: 3 } as const;

/** In characters. */
export const MIN_PASSWORD_LENGTH = 8;
