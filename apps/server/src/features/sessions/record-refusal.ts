import { recordBoundedAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";

/** Who guesses from many networks is not held up by the throttle of each, and must not fill the audit trail. */
const REFUSALS_BOUND = { most: 50, windowSeconds: 3_600 } as const;

/** Notes a login that was refused, up to a bound; `userId` is undefined where there is no such account. */
export async function recordRefusal(
  context: CallContext,
  userId: number | undefined,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const object = userId === undefined ? "user:unknown" : `user:${userId}`;
  await recordBoundedAudit(context.database.db, context, { action: "session.refuse", object, detail }, REFUSALS_BOUND);
}
