/** Every way in which an attempt at an upstream can fail. The retry policy and the care of channels decide by these alone. */
export type FailureKind =
  /** 429: this model, or the whole account, is limited for a while. */
  | "rate-limited"
  /** 429, but because of the request alone: it is larger than the account's limit, which is otherwise free. */
  | "over-limit"
  /** 503, 529 and their like: too busy right now. */
  | "overloaded"
  /** The key is wrong, revoked or not allowed: 401, 403. */
  | "bad-credential"
  /** The account behind the key has no money or quota left. */
  | "out-of-credit"
  /** The provider does not know the model. */
  | "unknown-model"
  /** The caller's request is at fault; no other channel would answer it. */
  | "bad-request"
  /** What the request goes on with is kept by another account of the provider. */
  | "kept-elsewhere"
  /** 5xx that says nothing more. */
  | "server-error"
  /** No connection: refused, reset before the answer, name not found. */
  | "connection"
  /** The TLS certificate is not good. */
  | "tls"
  /** No first byte, or no further byte, in time. */
  | "timeout"
  /** The answer is not what the format says: HTML, empty, no JSON. */
  | "bad-answer"
  /** The stream ended or broke before its end. */
  | "broken-stream"
  /** The answer is larger than the gateway takes. */
  | "too-large";

/** A failed attempt as read from the upstream's answer. */
export interface Failure {
  readonly kind: FailureKind;
  /** HTTP status of the upstream; 0 when none arrived. */
  readonly status: number;
  /** The upstream's own message, for the caller when the request is at fault and for administrators; secrets and addresses removed. */
  readonly message: string;
  /** The upstream's error code and type; empty without. */
  readonly code: string;
  readonly type: string;
  /** The field of the request that is at fault; null without. */
  readonly param: string | null;
  /** How long the upstream asks to wait, in ms; null when it does not say. */
  readonly retryAfterMs: number | null;
}

/** What was asked before the request itself had no answer. */
export const NO_CONNECTION: Failure = {
  kind: "connection",
  status: 0,
  message: "The connection to the provider failed.",
  code: "",
  type: "",
  param: null,
  retryAfterMs: null,
};

/** The provider failed before the request itself could be sent, such as when a token was asked for. */
export class ProviderFailedError extends Error {
  override name = "ProviderFailedError";
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}
