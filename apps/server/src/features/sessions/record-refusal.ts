import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { inTransaction } from "../../core/transaction.ts";
import { countTowards } from "../verification/index.ts";

/** Who guesses from many networks is not held up by the throttle of each, and must not fill the audit trail. */
const REFUSALS_BOUND = { most: 50, windowSeconds: 3_600 } as const;

/**
 * Notes a login that was refused, up to a bound, in the last entry of which that is said; `userId` is undefined where there is no such
 * account. Beyond the bound it is still counted: whether something is committed tells nobody which accounts there are.
 */
export async function recordRefusal(
  context: CallContext,
  userId: number | undefined,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const object = userId === undefined ? "user:unknown" : `user:${userId}`;
  await inTransaction(context.database, async (transaction) => {
    const limit = { subject: `refusals:${object}`, ...REFUSALS_BOUND };
    const left = await countTowards(transaction, limit, nowSeconds(context.clock));
    if (left < 0) return;
    const last = left === 0 ? { not_recorded_after_this_seconds: REFUSALS_BOUND.windowSeconds } : {};
    await recordAudit(transaction, context, { action: "session.refuse", object, detail: { ...detail, ...last } });
  });
}
