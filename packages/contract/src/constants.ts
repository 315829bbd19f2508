export const PAGE_SIZE = 10;

export const PAGE_SIZES = [10, 20, 50, 100] as const;

export type PageSize = (typeof PAGE_SIZES)[number];

/** Quota of one US dollar unless the option QuotaPerUnit says otherwise. */
export const DEFAULT_QUOTA_PER_UNIT = 500_000;

export const DEFAULT_SYSTEM_NAME = "One API";

export const DEFAULT_LOGO = "/logo.png";

export const TOKEN_KEY_PREFIX = "sk-";

export const TOKEN_KEY_LENGTH = 48;

/** Header of list answers: number of all rows. */
export const TOTAL_COUNT_HEADER = "x-total-count";

/** Header of every answer: the id that errors and log rows name. */
export const REQUEST_ID_HEADER = "x-request-id";

/** The same under the name that One API's clients look for. */
export const OLDER_REQUEST_ID_HEADER = "x-oneapi-request-id";

/** Password of root after a first start on a loopback address without ROOT_PASSWORD. */
export const DEFAULT_ROOT_PASSWORD = "123456";

/** Duration of a toast, in ms. Announcements without one stay until closed. */
export const TOAST_DURATION_MS = {
  success: 1_500,
  info: 3_000,
  error: 5_000,
  warning: 10_000,
  notice: 20_000,
} as const;

export const NARROW_SCREEN_PX = 600;

export const CHUNK_LOAD_TIMEOUT_MS = 120_000;

/**
 * Results of a relayed request: answered, refused by the gateway, aborted by the caller, cut off, or failed. Empty for
 * entries without a request and old ones.
 */
export const LOG_RESULTS = [
  "",
  "ok",
  "refused",
  "over-budget",
  "caller-gone",
  "cut",
  "provider-limited",
  "provider-refused",
  "provider-failed",
  "connection",
  "timeout",
  "gateway-failed",
] as const;

/** `errors` matches every result but `ok`. */
export const LOG_RESULT_FILTERS = [...LOG_RESULTS, "errors"] as const;

/** In a filter 0 selects all types. */
export const LOG_TYPE = { all: 0, topUp: 1, consumption: 2, management: 3, system: 4, test: 5, refund: 6 } as const;

export const AUDIT_KINDS = [
  "session",
  "user",
  "group",
  "factor",
  "management-key",
  "token",
  "channel",
  "redemption",
  "invitation",
  "option",
  "log",
  "mail",
  "receiver",
  "alert-rule",
  "view",
  "audit",
] as const;

export type AuditKind = (typeof AUDIT_KINDS)[number];

/**
 * The end of the year 9999, in Unix seconds. Later times are typing errors, and dates have an upper limit not far
 * beyond.
 */
export const LAST_SECOND = 253_402_300_799;

export const FILTER_LIMITS = { nameLength: 128, aliasLength: 200, values: 50, seconds: 99_999_999_999 } as const;
