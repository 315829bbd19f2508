import { type AlertKind, ROOT_ALERTS } from "@one-api/contract/notifications/notification-constants";
import type { Queryable } from "../../core/transaction.ts";
import { listEnabledReceivers, type StoredReceiver } from "./receiver.repository.ts";

/** Kinds of alerts that a receiver chose; without receivers those that root gets. */
export async function findWantedAlerts(queryable: Queryable): Promise<ReadonlySet<AlertKind>> {
  return alertsWantedBy(await listEnabledReceivers(queryable));
}

export function alertsWantedBy(receivers: readonly StoredReceiver[]): ReadonlySet<AlertKind> {
  return receivers.length === 0 ? ROOT_ALERTS : new Set(receivers.flatMap(({ alerts }) => alerts));
}
