import type { OpenDatabase } from "@one-api/database/open-database";
import { type Clock, nowSeconds } from "../../../platform/clock.ts";
import type { OptionStore } from "../../../core/option-store.ts";
import { inTransaction } from "../../../core/transaction.ts";
import { idRanges, raiseAlertState, type Shortages } from "../../alerts/index.ts";
import { amountText, type Mailer, queueMessage, quotaMail } from "../../mail/index.ts";
import {
  findNewestUserId,
  forgetToppedUpUsers,
  listUsersToTellOfQuota,
  TOLD,
  type UserToTell,
} from "./low-quota.repository.ts";

/** Who has less, and had a call refused for lack of quota, has used it up: calls cost more than what is left. */
const REFUSED_DOLLARS = 0.05;

interface ReminderDeps {
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly options: OptionStore;
  readonly mailer: Pick<Mailer, "isSetUp">;
}

/**
 * Puts mails to users into the outbox whose quota has come below QuotaRemindThreshold, or that is used up (`userIds` had calls refused for lack of it): one for each crossing, armed anew by a
 * top-up above it. Who has no address is told once they bind one; while mail is not set up a crossing is only noted. A threshold of 0 sends
 * nothing. Returns how many mails there are.
 */
export async function remindLowQuota(deps: ReminderDeps, { userIds }: Pick<Shortages, "userIds">): Promise<number> {
  const low = deps.options.number("QuotaRemindThreshold");
  if (low === 0) return 0;
  const marks = { low, usedUp: Math.max(low, Math.round(deps.options.number("QuotaPerUnit") * REFUSED_DOLLARS)) };
  const { db } = deps.database;
  await forgetToppedUpUsers(db, marks);
  let mails = 0;
  for await (const range of idRanges(await findNewestUserId(db))) {
    for (const user of await listUsersToTellOfQuota(db, range, marks, userIds)) {
      if (await tell(deps, user)) mails += 1;
    }
  }
  return mails;
}

/** Of several processes that see it, one writes the mail. The link begins with ServerAddress alone. */
function tell({ database, clock, options, mailer }: ReminderDeps, user: UserToTell): Promise<boolean> {
  const usedUp = user.used_up === 1;
  const at = nowSeconds(clock);
  return inTransaction(database, async (transaction) => {
    const state = { kind: "user-quota", id: user.id, level: usedUp ? TOLD.usedUp : TOLD.low, at } as const;
    if (!(await raiseAlertState(transaction, state)) || !mailer.isSetUp()) return false;
    const server = options.text("ServerAddress");
    const topUpLink = server === "" ? "" : `${server}/topup`;
    const facts = { username: user.username, left: amountText(options, user.left), usedUp, topUpLink };
    const message = quotaMail(options.text("SystemName"), facts, user.language);
    await queueMessage(transaction, { recipient: user.email, message, at });
    return true;
  });
}
