import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import { inTransaction } from "../../core/transaction.ts";
import { deleteUnusedInvitation, findInvitationUse } from "./invitation.repository.ts";

/** Deletes an unused invitation. Used ones remain as a record. Throws `invitation-not-found` and `invitation-used`. */
export async function deleteInvitation(context: CallContext, id: number): Promise<void> {
  await inTransaction(context.database, async (transaction) => {
    const detail = await deleteUnusedInvitation(transaction, id);
    if (detail === undefined) {
      if ((await findInvitationUse(transaction, id)) === undefined)
        throw new AppError("invitation-not-found", "There is no such invitation, or not any more.");
      throw new AppError("invitation-used", "Somebody has signed up with this invitation: it cannot be withdrawn.");
    }
    await recordAudit(transaction, context, { action: "invitation.delete", object: `invitation:${id}`, detail });
  });
}
