import { isAdmin, isRoot } from "@one-api/contract/accounts/roles";
import { type Actor, actorIsRoot } from "../../../core/actor.ts";
import { AppError } from "../../../core/app-error.ts";

interface Ranked {
  readonly id: number;
  readonly role: number;
}

/**
 * True if the user's role is below the actor's. A management key acts on regular users only: an administrator's
 * password would give it more rights than its scopes.
 */
function mayManage(actor: Actor, user: Ranked): boolean {
  if (actor.key !== undefined && isAdmin(user.role)) return false;
  return user.role < actor.role && !isRoot(user.role);
}

/** Like `mayManage`, but root may edit itself, as no other user could set its group and quota. */
export function mayEdit(actor: Actor, user: Ranked): boolean {
  return mayManage(actor, user) || (actorIsRoot(actor) && actor.key === undefined && actor.id === user.id);
}

function notBelowYou(): AppError {
  return new AppError(
    "user-not-below-you",
    "You can act on users whose role is below your own only. Change your own account in your profile.",
  );
}

/** Throws `user-not-below-you` unless the actor may manage the user. */
export function checkMayManage(actor: Actor, user: Ranked): void {
  if (!mayManage(actor, user)) throw notBelowYou();
}

/** Throws `user-not-below-you` unless the actor may edit the user. */
export function checkMayEdit(actor: Actor, user: Ranked): void {
  if (!mayEdit(actor, user)) throw notBelowYou();
}

export function userNotFound(): AppError {
  return new AppError("user-not-found", "There is no such user, or not any more.");
}
