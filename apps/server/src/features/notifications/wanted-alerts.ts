import {
  type AlertKind,
  ROOT_ALERTS,
  USE_MARKS,
  type UseMark,
} from "@one-api/contract/notifications/notification-constants";
import type { Queryable } from "../../core/transaction.ts";
import { listEnabledReceivers, type ReceiverChoices } from "./receiver.repository.ts";

/** Kinds of alerts that a receiver chose; without receivers those that root gets. */
export async function findWantedAlerts(queryable: Queryable): Promise<ReadonlySet<AlertKind>> {
  return alertsWantedBy(await listEnabledReceivers(queryable));
}

/** Marks, in ascending order, at which a receiver gets alerts of the kind. */
export async function findWantedMarks(queryable: Queryable, kind: AlertKind): Promise<readonly UseMark[]> {
  const receivers = (await listEnabledReceivers(queryable)).filter(({ alerts }) => alerts.includes(kind));
  return USE_MARKS.filter((mark) => receivers.some(({ marks }) => marks.includes(mark)));
}

export function alertsWantedBy(receivers: readonly ReceiverChoices[]): ReadonlySet<AlertKind> {
  return receivers.length === 0 ? ROOT_ALERTS : new Set(receivers.flatMap(({ alerts }) => alerts));
}
