import { URGENT_ALERTS } from "@one-api/contract/notifications/notification-constants";
import type { Queryable } from "../../core/transaction.ts";
import type { Alert, TimedAlert } from "../alerts/index.ts";
import { findHeldDelivery, insertDelivery, replaceDeliveryAlerts } from "./delivery.repository.ts";
import { quietUntil } from "./quiet-hours.ts";
import type { ReceiverChoices } from "./receiver.repository.ts";

/** Alerts of one delivery with their texts; further ones are only counted. */
const MOST_ALERTS = 50;

/**
 * Queues the alerts that the receiver gets. In its quiet hours the urgent ones are due at once, and the others
 * together at the end. `now` in Unix seconds.
 */
export async function queueDeliveries(
  transaction: Queryable,
  receiver: ReceiverChoices,
  alerts: readonly TimedAlert[],
  now: number,
): Promise<void> {
  const chosen = alerts.filter(({ alert }) => isFor(receiver, alert));
  const until = quietUntil(receiver.quietHours, now);
  const isDue = ({ alert }: TimedAlert) => until === undefined || URGENT_ALERTS.has(alert.kind);
  await queueOne(transaction, receiver.id, chosen.filter(isDue), { now, nextAt: now });
  if (until === undefined) return;
  const held = chosen.filter((alert) => !isDue(alert));
  const earlier = await findHeldDelivery(transaction, receiver.id, now);
  if (earlier === undefined) return queueOne(transaction, receiver.id, held, { now, nextAt: until });
  const together = [...earlier.alerts, ...held].slice(0, MOST_ALERTS);
  const { laterAlerts } = earlier;
  const count = earlier.count + held.length;
  await replaceDeliveryAlerts(transaction, earlier.id, { alerts: together, laterAlerts, count });
}

/** A rule names its receiver; of all other kinds a receiver chooses. */
function isFor(receiver: ReceiverChoices, alert: Alert): boolean {
  if (alert.kind === "threshold-crossed") return alert.receiver === receiver.id;
  return receiver.alerts.includes(alert.kind) && reachesMark(alert, receiver);
}

function reachesMark(alert: Alert, { marks }: ReceiverChoices): boolean {
  if (!("percent" in alert)) return true;
  return marks.some((mark) => mark > (alert.since ?? 0) && mark <= alert.percent);
}

async function queueOne(
  transaction: Queryable,
  receiverId: number,
  alerts: readonly TimedAlert[],
  { now, nextAt }: { readonly now: number; readonly nextAt: number },
): Promise<void> {
  if (alerts.length === 0) return;
  const stored = { alerts: alerts.slice(0, MOST_ALERTS), count: alerts.length };
  await insertDelivery(transaction, { receiverId, ...stored, createdAt: now, nextAt });
}
