import { ROLE } from "@one-api/contract/accounts/roles";
import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import type { UserAction } from "@one-api/contract/accounts/user-management";
import { type Actor, actorIsRoot } from "../../../core/actor.ts";
import { AppError } from "../../../core/app-error.ts";
import { changesBetween, recordAudit } from "../../../core/audit.ts";
import { type CallContext, requireActor } from "../../../core/call-context.ts";
import { inTransaction } from "../../../core/transaction.ts";
import { type AccountEnd, closeAccount } from "../close-account.ts";
import { changeUser } from "../user.repository.ts";
import { checkMayManage, userNotFound } from "./managed-user.policy.ts";
import { type LockedUser, lockUser } from "./managed-user.repository.ts";

export type Standing = Pick<LockedUser, "role" | "status">;

/**
 * Promotes, demotes, deletes, disables or enables a user, and returns the new role and status. Disabling and
 * deleting end all sessions.
 * Throws `user-not-found`, `user-not-below-you`, `user-promote-root-only`, `user-is-administrator` and
 * `user-is-regular`.
 */
export async function manageUser(
  context: CallContext,
  { username, action }: { readonly username: string; readonly action: UserAction },
  end: AccountEnd,
): Promise<Standing> {
  const actor = requireActor(context);
  const standing = await inTransaction(context.database, async (transaction) => {
    const before = await lockUser(transaction, { username });
    if (before === undefined) throw userNotFound();
    checkMayManage(actor, before);
    const after = standingAfter(actor, before, action);
    if (after.status === USER_STATUS.deleted) await closeAccount(transaction, context, before.id, end);
    else await changeUser(transaction, before.id, after);
    // Old sessions do not return when the user is enabled again.
    if (after.status !== before.status) await end.endSessions(transaction, before.id, undefined);
    const detail = { username, ...changesBetween(before, after) };
    await recordAudit(transaction, context, { action: `user.${action}`, object: `user:${before.id}`, detail });
    return after;
  });
  context.changes.announce("users");
  return standing;
}

function standingAfter(actor: Actor, { role, status }: LockedUser, action: UserAction): Standing {
  switch (action) {
    case "promote":
      return { role: promoted(actor, role), status };
    case "demote":
      return { role: demoted(role), status };
    case "delete":
      return { role, status: USER_STATUS.deleted };
    case "disable":
      return { role, status: USER_STATUS.disabled };
    case "enable":
      return { role, status: USER_STATUS.enabled };
  }
}

/** Only root may promote, as an administrator would create an equal. */
function promoted(actor: Actor, role: number): number {
  if (!actorIsRoot(actor))
    throw new AppError("user-promote-root-only", "Only the super administrator can make administrators.");
  if (actor.key !== undefined)
    throw new AppError("management-key-call", "No management key may make administrators. Use the console.");
  if (role >= ROLE.admin) throw new AppError("user-is-administrator", "This user is an administrator already.");
  return ROLE.admin;
}

function demoted(role: number): number {
  if (role <= ROLE.user) throw new AppError("user-is-regular", "This user is a regular user already.");
  return ROLE.user;
}
