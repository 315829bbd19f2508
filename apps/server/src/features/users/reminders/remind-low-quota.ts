import type { OpenDatabase } from "@one-api/database/open-database";
import { type Clock, nowSeconds } from "../../../platform/clock.ts";
import type { OptionStore } from "../../../core/option-store.ts";
import { inTransaction } from "../../../core/transaction.ts";
import { idRanges, raiseAlertState, type Shortages } from "../../alerts/index.ts";
import { amountText, type Mailer, queueMessage, quotaMail } from "../../mail/index.ts";
import {
  findNewestUserId,
  forgetToppedUpUsers,
  listUsersLowOnQuota,
  ALERT_LEVEL,
  type UserLowOnQuota,
} from "./low-quota.repository.ts";

/** Below it, a user with a refused call counts as out of quota, because calls cost more than the rest. */
const REFUSED_DOLLARS = 0.05;

interface ReminderDeps {
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly options: OptionStore;
  readonly mailer: Pick<Mailer, "isSetUp">;
}

/**
 * Queues mails to users below QuotaRemindThreshold (0: none) or out of quota. `userIds` had refused calls. A
 * top-up arms the alert again.
 * Without mail it is only recorded.
 */
export async function remindLowQuota(deps: ReminderDeps, { userIds }: Pick<Shortages, "userIds">): Promise<number> {
  const low = deps.options.number("QuotaRemindThreshold");
  if (low === 0) return 0;
  const marks = { low, usedUp: Math.max(low, Math.round(deps.options.number("QuotaPerUnit") * REFUSED_DOLLARS)) };
  const { db } = deps.database;
  await forgetToppedUpUsers(db, marks);
  let mails = 0;
  for await (const range of idRanges(await findNewestUserId(db))) {
    for (const user of await listUsersLowOnQuota(db, range, marks, userIds)) {
      if (await queueReminder(deps, user)) mails += 1;
    }
  }
  return mails;
}

/** Of several servers, one queues the mail. The link begins with ServerAddress only. */
function queueReminder({ database, clock, options, mailer }: ReminderDeps, user: UserLowOnQuota): Promise<boolean> {
  const usedUp = user.used_up === 1;
  const at = nowSeconds(clock);
  return inTransaction(database, async (transaction) => {
    const state = {
      kind: "user-quota",
      id: user.id,
      level: usedUp ? ALERT_LEVEL.usedUp : ALERT_LEVEL.low,
      at,
    } as const;
    if (!(await raiseAlertState(transaction, state)) || !mailer.isSetUp()) return false;
    const server = options.text("ServerAddress");
    const topUpLink = server === "" ? "" : `${server}/topup`;
    const facts = { username: user.username, left: amountText(options, user.left), usedUp, topUpLink };
    const message = quotaMail(options.text("SystemName"), facts, user.language);
    await queueMessage(transaction, { recipient: user.email, message, at });
    return true;
  });
}
