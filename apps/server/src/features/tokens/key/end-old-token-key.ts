import type { Token } from "@one-api/contract/token";
import { changesBetween, recordAudit } from "../../../core/audit.ts";
import { type CallContext, requireActor } from "../../../core/call-context.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import { inTransaction } from "../../../core/transaction.ts";
import { noOldKey, tokenNotFound } from "../token.policy.ts";
import { presentToken } from "../token.present.ts";
import { changeTokenOf, findTokenOf } from "../token.repository.ts";

/**
 * Ends the previous key of one of the caller's tokens. Throws `token-not-found`, and `token-no-old-key` if
 * none is valid.
 */
export async function endOldTokenKey(context: CallContext, id: number): Promise<Token> {
  const actor = requireActor(context);
  const now = nowSeconds(context.clock);
  const row = await inTransaction(context.database, async (transaction) => {
    const before = await findTokenOf(transaction, actor.id, id);
    if (before === undefined) throw tokenNotFound();
    if (before.old_key_ends_at <= now) throw noOldKey();
    const changes = { old_key_ends_at: now };
    const after = await changeTokenOf(transaction, actor.id, id, changes);
    if (after === undefined) throw tokenNotFound();
    const detail = { name: before.name, ...changesBetween(before, changes) };
    await recordAudit(transaction, context, { action: "token.end-old-key", object: `token:${id}`, detail });
    return after;
  });
  context.changes.announce("tokens");
  return presentToken(row, context.secrets, now);
}
