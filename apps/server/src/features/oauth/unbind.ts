import { type Binding, BINDING_FIELDS } from "@one-api/contract/accounts/binding";
import { recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { inTransaction } from "../../core/transaction.ts";
import { secondFactorsOf } from "../factors/index.ts";
import {
  changeAccount,
  hasSignInMethod,
  lockBoundAccount,
  lastSignInMethod,
  rememberIdentities,
  notifyOfUnbinding,
} from "../users/index.ts";

/**
 * Removes a binding of the caller's account. The account is locked, so that two concurrent calls cannot
 * remove both last methods.
 * Throws `last-way-in`.
 */
export async function unbind(context: CallContext, options: OptionStore, binding: Binding): Promise<void> {
  const { id } = requireActor(context);
  const column = BINDING_FIELDS[binding];
  await inTransaction(context.database, async (transaction) => {
    const account = await lockBoundAccount(transaction, id);
    if (account === undefined || account[column] === "") return;
    const hasAnother = hasSignInMethod({ ...account, [column]: "" }, options);
    // A passkey is a sign-in method.
    if (!hasAnother && !(await secondFactorsOf(transaction, id)).includes("passkey")) throw lastSignInMethod();
    await rememberIdentities(transaction, context, account);
    await changeAccount(transaction, id, { [column]: "" });
    await notifyOfUnbinding(transaction, context, options, { userId: id, binding, email: account.email });
    const detail = { binding, from: account[column] };
    await recordAudit(transaction, context, { action: "user.unbind", object: `user:${id}`, detail });
  });
  context.changes.announce("users");
}
