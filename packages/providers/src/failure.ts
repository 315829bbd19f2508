import { type ChannelLack, LACKS } from "@one-api/contract/channels/channel-needs";
import type { FailureKind } from "@one-api/contract/log-end";

export type { FailureKind };

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

/** Returns a failure that the gateway itself found in an answer. */
export function failureOf(kind: FailureKind, status: number, message: string): Failure {
  return { kind, status, message, code: "", type: "", param: null, retryAfterMs: null };
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

/** The channel lacks what its provider needs, so it cannot be called. The message names the field and the fix, and holds no secrets. */
export class UncallableChannelError extends Error {
  override name = "UncallableChannelError";

  constructor(lack: ChannelLack) {
    super(LACKS[lack].fix);
  }
}
