import type { OpenDatabase } from "@one-api/database/open-database";
import { type Clock, nowSeconds } from "../../platform/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import {
  alertMessage,
  clearAlertState,
  dropUnwantedAlerts,
  findOldestPendingTime,
  raiseAlertState,
  takePendingAlerts,
} from "../alerts/index.ts";
import { mailLanguage, queueMessage, ROOT_RECIPIENT } from "../mail/index.ts";
import { queueDeliveries } from "./queue-deliveries.ts";
import { listEnabledReceivers } from "./receiver.repository.ts";
import { alertsWantedBy } from "./wanted-alerts.ts";

const GATHER_SECONDS = 5;
/** Shortest time between two messages, so that a provider that keeps failing does not fill the mailbox. */
const REST_SECONDS = 600;

interface BundleDeps {
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly options: OptionStore;
  readonly findRootLanguage: (queryable: Queryable) => Promise<string>;
}

/**
 * Queues one message to each enabled receiver with the pending alerts that it gets; without receivers, one to root.
 * Returns the number of pending alerts.
 */
export async function bundleAlerts({ database, clock, options, findRootLanguage }: BundleDeps): Promise<number> {
  const now = nowSeconds(clock);
  const oldest = await findOldestPendingTime(database.db);
  if (oldest === undefined || now - oldest < GATHER_SECONDS) return 0;
  return inTransaction(database, async (transaction) => {
    const receivers = await listEnabledReceivers(transaction);
    const kinds = [...alertsWantedBy(receivers), ...(receivers.length > 0 ? ["threshold-crossed"] : [])];
    await dropUnwantedAlerts(transaction, new Set(kinds));
    if ((await findOldestPendingTime(transaction)) === undefined) return 0;
    // One of several servers sends the message.
    const claim = { kind: "root-message", id: 0, level: 0, at: now } as const;
    if (!(await raiseAlertState(transaction, claim, REST_SECONDS))) return 0;
    const alerts = await takePendingAlerts(transaction);
    if (alerts.length === 0) {
      await clearAlertState(transaction, claim);
      return 0;
    }
    for (const receiver of receivers) await queueDeliveries(transaction, receiver, alerts, now);
    if (receivers.length === 0) {
      const language = mailLanguage(await findRootLanguage(transaction));
      const message = alertMessage(options, { alerts, count: alerts.length }, language);
      await queueMessage(transaction, { recipient: ROOT_RECIPIENT, message, at: now });
    }
    return alerts.length;
  });
}
