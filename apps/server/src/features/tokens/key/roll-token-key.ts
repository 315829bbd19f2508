import type { Token } from "@one-api/contract/token";
import { recordAudit } from "../../../core/audit.ts";
import { type CallContext, requireActor } from "../../../core/call-context.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import type { QuotaLedger } from "@one-api/ledger/quota";
import { inTransaction } from "../../../core/transaction.ts";
import { tokenNotFound } from "../token.policy.ts";
import { presentToken } from "../token.present.ts";
import { findTokenOf, replaceKeyOf } from "../token.repository.ts";
import { createTokenKey } from "./create-token-key.ts";

/**
 * Replaces a token's key. The current one stays valid for `overlapSeconds`; an older one ends at once.
 * Locks the owner, as concurrent calls must not revive a key. Throws `token-not-found`.
 */
export async function rollTokenKey(
  context: CallContext,
  ledger: QuotaLedger,
  { id, overlapSeconds }: { readonly id: number; readonly overlapSeconds: number },
): Promise<Token> {
  const actor = requireActor(context);
  const now = nowSeconds(context.clock);
  const token = await inTransaction(context.database, async (transaction) => {
    await ledger.lockUserPool(transaction, actor.id);
    const before = await findTokenOf(transaction, actor.id, id);
    if (before === undefined) throw tokenNotFound();
    const endsAt = now + overlapSeconds;
    const after = await replaceKeyOf(transaction, actor.id, id, createTokenKey(context.secrets), endsAt);
    if (after === undefined) throw tokenNotFound();
    const ended = before.old_key_ends_at > now ? { ended_key_would_have_ended_at: before.old_key_ends_at } : {};
    await recordAudit(transaction, context, {
      action: "token.roll-key",
      object: `token:${id}`,
      detail: { name: before.name, old_key_ends_at: endsAt, ...ended },
    });
    const answer = presentToken(after, context.secrets, now);
    await context.rememberAnswer?.(transaction, answer);
    return answer;
  });
  context.changes.announce("tokens");
  return token;
}
