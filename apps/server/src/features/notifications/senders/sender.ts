import type { UnixSeconds } from "@one-api/database/column-values";
import type { MailMessage } from "../../mail/index.ts";

export interface Notice {
  /** The same for each attempt. */
  readonly id: string;
  readonly createdAt: UnixSeconds;
  readonly alerts: readonly NoticeAlert[];
  readonly count: number;
  readonly messageWith: (mostAlerts: number) => MailMessage;
}

interface NoticeAlert {
  readonly kind: string;
  readonly at: UnixSeconds;
  readonly text: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface Target {
  readonly address: string;
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
  readonly refusalIn?: (answer: unknown) => string | undefined;
}

export function jsonRequest(url: string, body: unknown): OutgoingRequest {
  return { url, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}
