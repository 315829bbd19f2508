import type { OpenDatabase } from "@one-api/database/open-database";
import { type Clock, nowSeconds } from "../../../platform/clock.ts";
import type { OptionStore } from "../../../core/option-store.ts";
import { inTransaction } from "../../../core/transaction.ts";
import { idRanges, raiseAlertState, type Shortages } from "../../alerts/index.ts";
import { amountText, type Mailer, queueMessage, tokenMail } from "../../mail/index.ts";
import { countTowards, secondsUntilMore } from "../../verification/index.ts";
import {
  findNewestTokenId,
  listTokensToTellOfExpiry,
  listTokensToTellOfQuota,
  mailLimitOf,
  TOLD,
  type TokenToTell,
} from "./token-alert.repository.ts";

const DAY_SECONDS = 86_400;
/** So long before a token expires its address is told. */
const SOON_SECONDS = 5 * DAY_SECONDS;
/** What expired longer ago is no news, for example after the server was off. */
const STALE_SECONDS = 7 * DAY_SECONDS;

interface TokenAlertDeps {
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly options: OptionStore;
  readonly mailer: Pick<Mailer, "isSetUp">;
}

/**
 * Puts the mails that tokens' addresses have coming into the outbox: a fifth of the quota left, quota used up (`tokenIds` had calls refused for lack of it), five days to the expiry,
 * expired. Each goes out once; adding quota or prolonging arms them anew. While mail is not set up what is crossed is only noted, so that
 * nobody gets old news later; an owner's beyond twenty an hour wait. Returns how many mails there are.
 */
export async function mailTokenAlerts(
  deps: TokenAlertDeps,
  { tokenIds }: Pick<Shortages, "tokenIds">,
): Promise<number> {
  const now = nowSeconds(deps.clock);
  const { db } = deps.database;
  const expiring = { now, soon: now + SOON_SECONDS, since: now - STALE_SECONDS };
  let mails = 0;
  for await (const range of idRanges(await findNewestTokenId(db))) {
    for (const token of await listTokensToTellOfQuota(db, range, { now, refusedIds: tokenIds })) {
      if (await tell(deps, token, "token-quota", now)) mails += 1;
    }
    for (const token of await listTokensToTellOfExpiry(db, range, expiring)) {
      if (await tell(deps, token, "token-expiry", now)) mails += 1;
    }
  }
  return mails;
}

const OCCASIONS = {
  "token-quota": { [TOLD.soon]: "quota-low", [TOLD.over]: "quota-used-up" },
  "token-expiry": { [TOLD.soon]: "expires-soon", [TOLD.over]: "expired" },
} as const;

/** Of several processes that see it, one writes the mail. */
function tell(
  { database, options, mailer }: TokenAlertDeps,
  token: TokenToTell,
  kind: keyof typeof OCCASIONS,
  now: number,
): Promise<boolean> {
  const level = token.over === 1 ? TOLD.over : TOLD.soon;
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
