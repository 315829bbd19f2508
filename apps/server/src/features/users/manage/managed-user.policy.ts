import { isRoot } from "@one-api/contract/accounts/roles";
import { type Actor, actorIsRoot } from "../../../core/actor.ts";
import { AppError } from "../../../core/app-error.ts";

interface Ranked {
  readonly id: number;
  readonly role: number;
}

/** Throws `user-not-below-you` unless the user's role is below the actor's; this protects equals and root. */
export function checkMayManage(actor: Actor, user: Ranked): void {
  if (user.role < actor.role && !isRoot(user.role)) return;
  throw new AppError(
    "user-not-below-you",
    "You can act on users whose role is below your own only. Change your own account in your profile.",
  );
}

/** Like `checkMayManage`, but root may edit itself, as no other user could set its group and quota. */
export function checkMayEdit(actor: Actor, user: Ranked): void {
  if (actorIsRoot(actor) && actor.id === user.id) return;
  checkMayManage(actor, user);
}

export function userNotFound(): AppError {
  return new AppError("user-not-found", "There is no such user, or not any more.");
}
