import { type Binding, BINDING_FIELDS } from "@one-api/contract/accounts/binding";
import { recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { inTransaction } from "../../core/transaction.ts";
import { secondFactorsOf } from "../factors/index.ts";
import {
  changeAccount,
  hasWayIn,
  holdBoundAccount,
  lastWayIn,
  rememberIdentities,
  tellOfUnbinding,
} from "../users/index.ts";

/**
 * Unbinds something from the caller's account. The account is held meanwhile: of two that are unbound at once, neither counts on the other
 * to stay. Throws `last-way-in`.
 */
export async function unbind(context: CallContext, options: OptionStore, binding: Binding): Promise<void> {
  const { id } = requireActor(context);
  const column = BINDING_FIELDS[binding];
  await inTransaction(context.database, async (transaction) => {
    const account = await holdBoundAccount(transaction, id);
    if (account === undefined || account[column] === "") return;
    const hasAnother = hasWayIn({ ...account, [column]: "" }, options);
    // A passkey logs in by itself.
    if (!hasAnother && !(await secondFactorsOf(transaction, id)).includes("passkey")) throw lastWayIn();
    await rememberIdentities(transaction, context, account);
    await changeAccount(transaction, id, { [column]: "" });
    await tellOfUnbinding(transaction, context, options, { userId: id, binding, email: account.email });
    const detail = { binding, from: account[column] };
    await recordAudit(transaction, context, { action: "user.unbind", object: `user:${id}`, detail });
  });
  context.changes.announce("users");
}
