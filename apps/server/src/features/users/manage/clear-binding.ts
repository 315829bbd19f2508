import { type Binding, BINDING_FIELDS } from "@one-api/contract/accounts/binding";
import { recordAudit } from "../../../core/audit.ts";
import { type CallContext, requireActor } from "../../../core/call-context.ts";
import type { OptionStore } from "../../../core/option-store.ts";
import { inTransaction } from "../../../core/transaction.ts";
import { changeAccount, lockBoundAccount } from "../account.repository.ts";
import type { AccountEnd } from "../close-account.ts";
import { rememberIdentities } from "../rewards/known-identities.ts";
import { notifyOfUnbinding } from "../notices/notify-owner.ts";
import { checkMayManage, userNotFound } from "./managed-user.policy.ts";
import { lockUser } from "./managed-user.repository.ts";

/**
 * Removes a binding, even the last sign-in method, and ends the sessions that may have come by it.
 * Throws `user-not-found` and `user-not-below-you`.
 */
export async function clearBinding(
  context: CallContext,
  { id, binding }: { readonly id: number; readonly binding: Binding },
  { endSessions, options }: Pick<AccountEnd, "endSessions"> & { readonly options: OptionStore },
): Promise<void> {
  const actor = requireActor(context);
  const column = BINDING_FIELDS[binding];
  await inTransaction(context.database, async (transaction) => {
    const user = await lockUser(transaction, { id });
    const account = await lockBoundAccount(transaction, id);
    if (user === undefined || account === undefined) throw userNotFound();
    checkMayManage(actor, user);
    if (account[column] === "") return;
    await rememberIdentities(transaction, context, account);
    await changeAccount(transaction, id, { [column]: "" });
    await endSessions(transaction, id, undefined);
    await notifyOfUnbinding(transaction, context, options, { userId: id, binding, email: account.email });
    const detail = { binding, from: account[column] };
    await recordAudit(transaction, context, { action: "user.clear-binding", object: `user:${id}`, detail });
  });
  context.changes.announce("users");
}
