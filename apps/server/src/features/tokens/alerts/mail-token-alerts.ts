import type { OpenDatabase } from "@one-api/database/open-database";
import { type Clock, nowSeconds } from "../../../platform/clock.ts";
import type { OptionStore } from "../../../core/option-store.ts";
import { inTransaction } from "../../../core/transaction.ts";
import { idRanges, raiseAlertState, type Shortages } from "../../alerts/index.ts";
import { amountText, type Mailer, queueMessage, tokenMail } from "../../mail/index.ts";
import { countTowards, secondsUntilMore } from "../../verification/index.ts";
import {
  findNewestTokenId,
  listExpiringTokens,
  listTokensLowOnQuota,
  mailLimitOf,
  ALERT_LEVEL,
  type AlertedToken,
} from "./token-alert.repository.ts";

const DAY_SECONDS = 86_400;
const SOON_SECONDS = 5 * DAY_SECONDS;
/** Older expiries are not reported, for example after the server was off. */
const STALE_SECONDS = 7 * DAY_SECONDS;

interface TokenAlertDeps {
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly options: OptionStore;
  readonly mailer: Pick<Mailer, "isSetUp">;
}

/** Queues mails about quota and expiry to tokens' addresses, each once. `tokenIds` had refused calls. Without mail, alerts are recorded and not sent later. */
export async function mailTokenAlerts(
  deps: TokenAlertDeps,
  { tokenIds }: Pick<Shortages, "tokenIds">,
): Promise<number> {
  const now = nowSeconds(deps.clock);
  const { db } = deps.database;
  const expiring = { now, soon: now + SOON_SECONDS, since: now - STALE_SECONDS };
  let mails = 0;
  for await (const range of idRanges(await findNewestTokenId(db))) {
    for (const token of await listTokensLowOnQuota(db, range, { now, refusedIds: tokenIds })) {
      if (await queueAlert(deps, token, "token-quota", now)) mails += 1;
    }
    for (const token of await listExpiringTokens(db, range, expiring)) {
      if (await queueAlert(deps, token, "token-expiry", now)) mails += 1;
    }
  }
  return mails;
}

const OCCASIONS = {
  "token-quota": { [ALERT_LEVEL.soon]: "quota-low", [ALERT_LEVEL.over]: "quota-used-up" },
  "token-expiry": { [ALERT_LEVEL.soon]: "expires-soon", [ALERT_LEVEL.over]: "expired" },
} as const;

/** Of several servers, one queues the mail. */
function queueAlert(
  { database, options, mailer }: TokenAlertDeps,
  token: AlertedToken,
  kind: keyof typeof OCCASIONS,
  now: number,
): Promise<boolean> {
  const level = token.over === 1 ? ALERT_LEVEL.over : ALERT_LEVEL.soon;
  const limit = mailLimitOf(token.user_id);
  return inTransaction(database, async (transaction) => {
    if ((await secondsUntilMore(transaction, limit, now)) > 0) return false;
    if (!(await raiseAlertState(transaction, { kind, id: token.id, level, at: now }))) return false;
    if (!mailer.isSetUp()) return false;
    await countTowards(transaction, limit, now);
    const left = token.unlimited_quota === 1 ? undefined : amountText(options, token.left);
    const facts = { token: token.name, left, expiresAt: token.expired_time };
    const message = tokenMail(options.text("SystemName"), OCCASIONS[kind][level], facts, token.language);
    await queueMessage(transaction, { recipient: token.email, message, at: now });
    return true;
  });
}
