import type { UnixSeconds } from "@one-api/database/column-values";
import type { MailMessage } from "../../mail/index.ts";

/** A message to one receiver, in its language. */
export interface Notice {
  /** The same for each attempt. */
  readonly id: string;
  readonly createdAt: UnixSeconds;
  /** None for a test. */
  readonly alerts: readonly NoticeAlert[];
  /** Of all alerts; some may be missing in the list. */
  readonly count: number;
  /** Returns the message with at most that many alerts. */
  readonly messageWith: (mostAlerts: number) => MailMessage;
}

interface NoticeAlert {
  readonly kind: string;
  readonly at: UnixSeconds;
  readonly text: string;
  /** Values in the text. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Decrypted. */
export interface Target {
  readonly address: string;
  /** Empty for none. */
  readonly secret: string;
}

export interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Sender {
  /** Returns the request of an attempt at `now`, in Unix seconds. */
  readonly toRequest: (notice: Notice, target: Target, now: number) => OutgoingRequest;
  /** Returns the cause if an answer with status 2xx is a refusal. Absent where the status alone decides. */
  readonly refusalIn?: (answer: unknown) => string | undefined;
}

export function jsonRequest(url: string, body: unknown): OutgoingRequest {
  return { url, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}
