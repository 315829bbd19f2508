import { createHmac } from "node:crypto";
import type { Notice, Sender } from "./sender.ts";

const SECRET_PREFIX = "whsec_";

/** A receiver of one's own. Signed by Standard Webhooks 1.0.0 (github.com/standard-webhooks/standard-webhooks, spec). */
export const webhookSender: Sender = {
  toRequest(notice, { address, secret }, now) {
    const body = JSON.stringify(payloadOf(notice));
    return {
      url: address,
      headers: {
        "content-type": "application/json",
        "webhook-id": notice.id,
        "webhook-timestamp": String(now),
        "webhook-signature": signWebhook(secret, { id: notice.id, timestamp: now, body }),
      },
      body,
    };
  },
};

function payloadOf({ alerts, count, createdAt, messageWith }: Notice) {
  const { subject } = messageWith(alerts.length);
  return {
    type: count === 0 ? "test" : "alerts",
    timestamp: new Date(createdAt * 1000).toISOString(),
    data: { subject, count, alerts },
  };
}

/** `timestamp` in Unix seconds. */
export function signWebhook(
  secret: string,
  { id, timestamp, body }: { readonly id: string; readonly timestamp: number; readonly body: string },
): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
}
