import { type ChannelLack, LACKS } from "@one-api/contract/channels/channel-needs";
import type { FailureKind } from "@one-api/contract/logs/log-end";

export type { FailureKind };

export interface Failure {
  readonly kind: FailureKind;
  readonly status: number;
  /** Message of the upstream, without secrets and addresses: for administrators, and for the caller when the request is at fault. */
  readonly message: string;
  readonly code: string;
  readonly type: string;
  readonly param: string | null;
  /** Wait that the upstream requests, in ms; null without. */
  readonly retryAfterMs: number | null;
}

export function failureOf(kind: FailureKind, status: number, message: string): Failure {
  return { kind, status, message, code: "", type: "", param: null, retryAfterMs: null };
}

/** A preparatory call, such as for a token, had no answer. */
export const NO_CONNECTION: Failure = {
  kind: "connection",
  status: 0,
  message: "The connection to the provider failed.",
  code: "",
  type: "",
  param: null,
  retryAfterMs: null,
};

/** A preparatory call failed, such as for a token, so the request was not sent. */
export class ProviderFailedError extends Error {
  override name = "ProviderFailedError";
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The channel lacks a setting that its provider needs. The message names the field and the fix, and holds no secrets. */
export class UncallableChannelError extends Error {
  override name = "UncallableChannelError";

  constructor(lack: ChannelLack) {
    super(LACKS[lack].fix);
  }
}
