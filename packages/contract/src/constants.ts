/** Rows of one list page. */
export const PAGE_SIZE = 10;

/** How many rows one page of a list may have. */
export const PAGE_SIZES = [10, 20, 50, 100] as const;

/** Rows of one list page, one of PAGE_SIZES. */
export type PageSize = (typeof PAGE_SIZES)[number];

/** Quota of one US dollar unless the option QuotaPerUnit says otherwise. */
export const DEFAULT_QUOTA_PER_UNIT = 500_000;

/** Name of the system until the option SystemName is set. */
export const DEFAULT_SYSTEM_NAME = "One API";

/** Path of the logo until the option Logo is set. */
export const DEFAULT_LOGO = "/logo.png";

/** Every caller's key starts with this; the API returns keys without it. */
export const TOKEN_KEY_PREFIX = "sk-";

/** Characters of a token key after the prefix. */
export const TOKEN_KEY_LENGTH = 48;

/** Response header of list calls: how many rows there are in all. */
export const TOTAL_COUNT_HEADER = "x-total-count";

/** Response header of every answer: the id that errors and log rows name too. */
export const REQUEST_ID_HEADER = "x-request-id";

/** The same under the name that clients of One API look for. */
export const OLDER_REQUEST_ID_HEADER = "x-oneapi-request-id";

/** The password of root on a first start on a loopback address without ROOT_PASSWORD. */
export const DEFAULT_ROOT_PASSWORD = "123456";

/** How long a toast stays, in ms. Announcements without a duration stay until closed. */
export const TOAST_DURATION_MS = {
  success: 1_500,
  info: 3_000,
  error: 5_000,
  warning: 10_000,
  notice: 20_000,
} as const;

/** At or under this width, in px, toasts stand top-center. */
export const NARROW_SCREEN_PX = 600;

/** Loading a part of the console may take this long, in ms. */
export const CHUNK_LOAD_TIMEOUT_MS = 120_000;

/**
 * How a relayed request ended: answered, refused by the gateway (for a budget that is spent, or anything else), left by its caller, cut off, or failed at the provider (429, another
 * refusal, a 5xx or a bad answer), on the way to it, by time or in the gateway. Empty for entries without a request and old ones.
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

/** What entries may be filtered by: how their request ended, or with "errors" that it ended in any way but well. */
export const LOG_RESULT_FILTERS = [...LOG_RESULTS, "errors"] as const;

/** Kinds of log entries; 0 in a filter means all. */
export const LOG_TYPE = { all: 0, topUp: 1, consumption: 2, management: 3, system: 4, test: 5, refund: 6 } as const;

/** Nouns that entries of the audit trail are about. */
export const AUDIT_KINDS = [
  "session",
  "user",
  "factor",
  "token",
  "channel",
  "redemption",
  "invitation",
  "option",
  "log",
  "mail",
  "view",
] as const;

export type AuditKind = (typeof AUDIT_KINDS)[number];

/** The end of the year 9999, in Unix seconds: what is set to later is a typing error, and dates end some time after it. */
export const LAST_SECOND = 253_402_300_799;

/** The longest name and the latest time, in Unix seconds, that the log and the dashboard can be filtered by. */
export const FILTER_LIMITS = { nameLength: 128, seconds: 99_999_999_999 } as const;
