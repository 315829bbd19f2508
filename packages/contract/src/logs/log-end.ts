/** Closed list of failures of an attempt. The retry policy and the channel decisions depend on these alone. */
const FAILURE_KINDS = [
  /** 429: this model, or the whole account, is limited. */
  "rate-limited",
  /** 429 because the single request is larger than the account's limit. */
  "over-limit",
  /** 503, 529 and the like. */
  "overloaded",
  /** Key wrong, revoked or not allowed: 401, 403. */
  "bad-credential",
  /** The account has no money or quota left. */
  "out-of-credit",
  "unknown-model",
  /** The request is invalid; no other channel would answer it. */
  "bad-request",
  /** The request refers to an object that another account of the provider stores. */
  "kept-elsewhere",
  /** Any other 5xx. */
  "server-error",
  /** Connection refused, reset before the answer, or name not found. */
  "connection",
  "tls",
  /** No first byte, or no further byte, in time. */
  "timeout",
  /** Not of the format: HTML, empty, no JSON. */
  "bad-answer",
  "broken-stream",
  "too-large",
] as const;

export type FailureKind = (typeof FAILURE_KINDS)[number];

/**
 * Ends of a request in the detail of its log entry. If the gateway refused further output, the detail has the refusal's
 * code instead of `ended`.
 */
export const LOG_ENDS = [
  ...FAILURE_KINDS,
  "complete",
  "refused",
  "caller-gone",
  "caller-stalled",
  /** By the caller: an answer within a session, or a batch. */
  "cancelled",
  /** The provider closed a session between two answers. */
  "closed",
  /** By the gateway, for a reason without a code. */
  "ended",
  /** The time limit of a batch was reached. */
  "expired",
  /** The provider refused a batch, or did not finish an answer within a session. */
  "failed",
  "internal",
  /** The provider no longer knows the batch. */
  "lost",
  /** The charge could not be stored, so nothing was sent and nothing is charged. */
  "unbooked",
] as const;

export type LogEnd = (typeof LOG_ENDS)[number];
