import { isRoot } from "@one-api/contract/accounts/roles";
import { type Actor, actorIsRoot } from "../../../core/actor.ts";
import { AppError } from "../../../core/app-error.ts";

interface Ranked {
  readonly id: number;
  readonly role: number;
}

/** Throws `user-not-below-you` unless the user's role is below the actor's: nobody acts on equals, and nobody on root. */
export function checkMayManage(actor: Actor, user: Ranked): void {
  if (user.role < actor.role && !isRoot(user.role)) return;
  throw new AppError(
    "user-not-below-you",
    "You can act on users whose role is below your own only. Change your own account in your profile.",
  );
}

/** Throws `user-not-below-you` unless the actor may manage the user, or is root and means itself: nobody else could set its group and quota. */
export function checkMayEdit(actor: Actor, user: Ranked): void {
  if (actorIsRoot(actor) && actor.id === user.id) return;
  checkMayManage(actor, user);
}

/** The refusal of a user who is not there. */
export function userNotFound(): AppError {
  return new AppError("user-not-found", "There is no such user, or not any more.");
}
