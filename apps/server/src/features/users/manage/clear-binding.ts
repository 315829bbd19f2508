import { type Binding, BINDING_FIELDS } from "@one-api/contract/accounts/binding";
import { recordAudit } from "../../../core/audit.ts";
import { type CallContext, requireActor } from "../../../core/call-context.ts";
import type { OptionStore } from "../../../core/option-store.ts";
import { inTransaction } from "../../../core/transaction.ts";
import { changeAccount, holdBoundAccount } from "../account.repository.ts";
import type { AccountEnd } from "../close-account.ts";
import { rememberIdentities } from "../rewards/known-identities.ts";
import { tellOfUnbinding } from "../notices/tell-owner.ts";
import { checkMayManage, userNotFound } from "./managed-user.policy.ts";
import { holdUser } from "./managed-user.repository.ts";

/**
 * Unbinds something from a user's account, the last way in too: an administrator can set a password. The sessions end, since who came by
 * what was bound may be somebody else. Throws `user-not-found` and `user-not-below-you`.
 */
export async function clearBinding(
  context: CallContext,
  { id, binding }: { readonly id: number; readonly binding: Binding },
  { endSessions, options }: Pick<AccountEnd, "endSessions"> & { readonly options: OptionStore },
): Promise<void> {
  const actor = requireActor(context);
  const column = BINDING_FIELDS[binding];
  await inTransaction(context.database, async (transaction) => {
    const user = await holdUser(transaction, { id });
    const account = await holdBoundAccount(transaction, id);
    if (user === undefined || account === undefined) throw userNotFound();
    checkMayManage(actor, user);
    if (account[column] === "") return;
    await rememberIdentities(transaction, context, account);
    await changeAccount(transaction, id, { [column]: "" });
    await endSessions(transaction, id, undefined);
    await tellOfUnbinding(transaction, context, options, { userId: id, binding, email: account.email });
    const detail = { binding, from: account[column] };
    await recordAudit(transaction, context, { action: "user.clear-binding", object: `user:${id}`, detail });
  });
  context.changes.announce("users");
}
