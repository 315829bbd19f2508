/** Every way in which an attempt at a provider can fail. The retry policy and the care of channels decide by these alone. */
const FAILURE_KINDS = [
  /** 429: this model, or the whole account, is limited for a while. */
  "rate-limited",
  /** 429, but because of the request alone: it is larger than the account's limit, which is otherwise free. */
  "over-limit",
  /** 503, 529 and their like: too busy right now. */
  "overloaded",
  /** The key is wrong, revoked or not allowed: 401, 403. */
  "bad-credential",
  /** The account behind the key has no money or quota left. */
  "out-of-credit",
  /** The provider does not know the model. */
  "unknown-model",
  /** The caller's request is at fault; no other channel would answer it. */
  "bad-request",
  /** What the request goes on with is kept by another account of the provider. */
  "kept-elsewhere",
  /** 5xx that says nothing more. */
  "server-error",
  /** No connection: refused, reset before the answer, name not found. */
  "connection",
  /** The TLS certificate is not good. */
  "tls",
  /** No first byte, or no further byte, in time. */
  "timeout",
  /** The answer is not what the format says: HTML, empty, no JSON. */
  "bad-answer",
  /** The stream ended or broke before its end. */
  "broken-stream",
  /** The answer is larger than the gateway takes. */
  "too-large",
] as const;

export type FailureKind = (typeof FAILURE_KINDS)[number];

/**
 * How a request can end, as the detail of its log entry names it. Where the gateway itself ended a stream or a session, the detail has the code of
 * the refusal in the place of `ended`.
 */
export const LOG_ENDS = [
  ...FAILURE_KINDS,
  "complete",
  /** The gateway refused it. */
  "refused",
  "caller-gone",
  /** The caller stopped reading. */
  "caller-stalled",
  /** By the caller: an answer within a session, or a batch. */
  "cancelled",
  /** A session's provider closed it between two answers. */
  "closed",
  /** By the gateway, for a reason without a code. */
  "ended",
  /** A batch's time was over. */
  "expired",
  /** The provider would not begin a batch, or did not end an answer within a session. */
  "failed",
  /** An error within the gateway. */
  "internal",
  /** The provider does not know a batch any more. */
  "lost",
  /** The charge could not be booked, so nothing was sent and nothing is charged. */
  "unbooked",
] as const;

export type LogEnd = (typeof LOG_ENDS)[number];
