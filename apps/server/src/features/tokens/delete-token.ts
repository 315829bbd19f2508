import { recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import type { QuotaLedger } from "@one-api/ledger/quota";
import { inTransaction } from "../../core/transaction.ts";
import { clearAlertStates } from "../alerts/index.ts";
import { tokenNotFound } from "./token.policy.ts";
import { deleteTokenOf, findTokenOf } from "./token.repository.ts";

/** Deletes one of the caller's tokens. Running requests are still charged to the owner. Throws `token-not-found`. */
export async function deleteToken(context: CallContext, ledger: QuotaLedger, id: number): Promise<void> {
  const actor = requireActor(context);
  await inTransaction(context.database, async (transaction) => {
    await ledger.setBudget(transaction, { userId: actor.id, tokenId: id, budget: null, at: 0 });
    const before = await findTokenOf(transaction, actor.id, id);
    if (before === undefined || !(await deleteTokenOf(transaction, actor.id, id))) throw tokenNotFound();
    await clearAlertStates(transaction, ["token-quota", "token-expiry"], id);
    await recordAudit(transaction, context, {
      action: "token.delete",
      object: `token:${id}`,
      detail: { name: before.name, remain_quota: before.remain_quota, used_quota: before.used_quota },
    });
  });
  context.changes.announce("tokens");
}
