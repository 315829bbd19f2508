import { splitList } from "@one-api/contract/texts";
import type { KeyScope } from "@one-api/contract/accounts/management-key-constants";
import { isAdmin, isRoot } from "@one-api/contract/accounts/roles";

export interface Actor {
  readonly id: number;
  readonly username: string;
  readonly role: number;
  readonly group: string;
  readonly via: "session" | "access-token" | "management-key";
  readonly key?: { readonly id: number; readonly scopes: readonly KeyScope[] };
  /** True for an administrator without the required second factor. `role` is that of a regular user then. */
  readonly lacksSecondFactor?: true;
}

export interface Caller {
  readonly actor: Actor;
  /** True for an administrator with a second factor. */
  readonly isProtected: boolean;
}

/** Way of the actor's login, as the audit trail names it. */
export function viaOf({ via, key }: Actor): string {
  return key === undefined ? via : `${via}:${key.id}`;
}

export function actorIsAdmin(actor: Actor): boolean {
  return isAdmin(actor.role);
}

export function actorIsRoot(actor: Actor): boolean {
  return isRoot(actor.role);
}

const DEFAULT_GROUP = "default";

/** Reads a user's comma-separated groups, in order. */
export function groupsOfUser(group: string): string[] {
  const groups = splitList(group);
  return groups.length === 0 ? [DEFAULT_GROUP] : groups;
}
