import { isAdmin, isRoot } from "@one-api/contract/accounts/roles";

/** Who makes a call of the control API, as the database says at this moment. */
export interface Actor {
  readonly id: number;
  readonly username: string;
  readonly role: number;
  /** Comma-separated; empty means default. */
  readonly group: string;
  /** How the caller proved it: a browser session or a system access token. */
  readonly via: "session" | "access-token";
  /** An administrator who has to set up a second factor first: until then `role` is that of a regular user. */
  readonly isHeldBack?: true;
}

/** A caller whose session or token is right. */
export interface Caller {
  readonly actor: Actor;
  /** True for an administrator who has set up a second factor. */
  readonly isProtected: boolean;
}

/** True for administrators, root included. */
export function actorIsAdmin(actor: Actor): boolean {
  return isAdmin(actor.role);
}

/** True for super administrators. */
export function actorIsRoot(actor: Actor): boolean {
  return isRoot(actor.role);
}
