import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { inTransaction } from "../../core/transaction.ts";
import { countTowards } from "../verification/index.ts";

/** Guesses from many networks pass each network's throttle and must not fill the audit trail. */
const MOST_REFUSALS = { most: 50, windowSeconds: 3_600 } as const;

/**
 * Records a refused login, up to a limit; `userId` is undefined for an unknown account.
 * The count is written in any case, so that timing does not reveal accounts.
 */
export async function recordRefusal(
  context: CallContext,
  userId: number | undefined,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const object = userId === undefined ? "user:unknown" : `user:${userId}`;
  await inTransaction(context.database, async (transaction) => {
    const limit = { subject: `refusals:${object}`, ...MOST_REFUSALS };
    const left = await countTowards(transaction, limit, nowSeconds(context.clock));
    if (left < 0) return;
    const last = left === 0 ? { not_recorded_after_this_seconds: MOST_REFUSALS.windowSeconds } : {};
    await recordAudit(transaction, context, { action: "session.refuse", object, detail: { ...detail, ...last } });
  });
}
