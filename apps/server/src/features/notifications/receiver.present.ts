import { maskReceiverAddress } from "@one-api/contract/notifications/receiver-target";
import type { Delivery, Receiver } from "@one-api/contract/notifications/receiver";
import { SecretError, type Secrets } from "../../core/secrets.ts";
import { kindsIn, type StoredDelivery } from "./delivery.repository.ts";
import type { StoredReceiver } from "./receiver.repository.ts";
import { openTarget } from "./send-notice.ts";

export function presentReceiver(secrets: Secrets, receiver: StoredReceiver, last?: StoredDelivery): Receiver {
  const { id, name, kind, secretCipher, alerts, marks, language, quietHours, enabled } = receiver;
  return {
    id,
    name,
    kind,
    address: readableAddress(secrets, receiver),
    has_secret: secretCipher !== "",
    alerts: [...alerts],
    marks: [...marks],
    language,
    quiet_hours: quietHours ?? null,
    enabled,
    last_delivery: last === undefined ? null : presentDelivery(last),
  };
}

/** Empty for an address that no key of this server opens: the list shows the others, and the receiver is repaired by a new address. */
function readableAddress(secrets: Secrets, receiver: StoredReceiver): string {
  try {
    return maskReceiverAddress(receiver.kind, openTarget(secrets, receiver).address);
  } catch (error) {
    if (error instanceof SecretError) return "";
    throw error;
  }
}

export function presentDelivery(delivery: StoredDelivery): Delivery {
  const { id, receiverId, count, status, attempts, createdAt, nextAt, deliveredAt, error } = delivery;
  return {
    id,
    receiver_id: receiverId,
    alerts: kindsIn(delivery),
    count,
    status,
    attempts,
    created_at: createdAt,
    next_at: nextAt,
    delivered_at: deliveredAt,
    error,
  };
}
