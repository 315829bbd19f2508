import { LOG_TYPE } from "@one-api/contract/logs/log";
import { URGENT_ALERTS } from "@one-api/contract/notifications/notification-constants";
import type { OpenDatabase } from "@one-api/database/open-database";
import { type Clock, nowSeconds } from "../../platform/clock.ts";
import { inTransaction } from "../../core/transaction.ts";
import { writeLog } from "../logs/index.ts";
import { oneLine } from "../mail/index.ts";
import { claimDelivery, leaveDelivery, markDelivered, markFailed, type StoredDelivery } from "./delivery.repository.ts";
import { quietUntil } from "./quiet-hours.ts";
import { findReceiver, type StoredReceiver } from "./receiver.repository.ts";
import { type SendDeps, sendNotice } from "./send-notice.ts";

const LEASE_SECONDS = 120;
const MINUTE = 60;
/** A delivery with alerts of a later release is left to its servers so long. Then it is sent without them. */
const LEFT_SECONDS = 3_600;
const HOUR = 60 * MINUTE;
/** Pause after each failed attempt. After the last one the delivery is given up. */
const WAITS_SECONDS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR] as const;
/** Deliveries at the same time, so that one slow receiver does not delay the others. */
const CONCURRENT = 4;

export interface NoticeDeps extends SendDeps {
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly isStopping?: () => boolean;
}

/**
 * Sends all due deliveries. Several servers may run it at once, and each delivery is sent by one; after a crash it is sent
 * again, with the same id.
 */
export async function deliverNotices(deps: NoticeDeps): Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  // In turn: of claims at the same time, all but one find nothing.
  const claim = (): Promise<StoredDelivery | undefined> => {
    const next = last.then(() => claimDelivery(deps.database.db, nowSeconds(deps.clock), LEASE_SECONDS));
    last = next.catch(() => undefined);
    return next;
  };
  await Promise.all(Array.from({ length: CONCURRENT }, () => deliverUntilNone(deps, claim)));
}

async function deliverUntilNone(deps: NoticeDeps, claim: () => Promise<StoredDelivery | undefined>): Promise<void> {
  while (deps.isStopping?.() !== true) {
    const claimed = await claim();
    if (claimed === undefined) return;
    const now = nowSeconds(deps.clock);
    if (claimed.laterAlerts.length > 0 && now - claimed.createdAt < LEFT_SECONDS) {
      await leaveDelivery(deps.database.db, claimed.id, now + MINUTE);
      continue;
    }
    const receiver = await findReceiver(deps.database.db, claimed.receiverId);
    if (receiver !== undefined) await deliver(deps, receiver, claimed);
  }
}

async function deliver(deps: NoticeDeps, receiver: StoredReceiver, delivery: StoredDelivery): Promise<void> {
  const { database, clock } = deps;
  const error = await sendNotice(deps, receiver, delivery, nowSeconds(clock));
  const now = nowSeconds(clock);
  if (error === undefined) return markDelivered(database.db, delivery.id, now);
  const wait = WAITS_SECONDS[delivery.attempts - 1];
  if (wait !== undefined)
    return markFailed(database.db, delivery.id, { error, nextAt: afterQuietHours(receiver, delivery, now + wait) });
  await inTransaction(database, async (transaction) => {
    await markFailed(transaction, delivery.id, { error, nextAt: undefined });
    const values = { recipient: oneLine(receiver.name), tries: delivery.attempts, said: error };
    const content = `The alerts to ${values.recipient} are given up after ${delivery.attempts} tries. ${error}`;
    const event = { code: "alerts-given-up", values } as const;
    await writeLog(transaction, { created_at: now, type: LOG_TYPE.system, content, event });
  });
}

/** Returns the time of the next attempt: urgent alerts do not wait for the end of quiet hours. */
function afterQuietHours({ quietHours }: StoredReceiver, { alerts }: StoredDelivery, nextAt: number): number {
  if (alerts.some(({ alert }) => URGENT_ALERTS.has(alert.kind))) return nextAt;
  return quietUntil(quietHours, nextAt) ?? nextAt;
}
