/** Each role has the rights of the ones below it. */
export const ROLE = { user: 1, admin: 10, root: 100 } as const;

/** The least role of a call; `anyone` needs no login. */
export type Access = "anyone" | "user" | "admin" | "root";

/** True when the role (undefined: not logged in) satisfies the access level. */
export function mayAccess(access: Access, role: number | undefined): boolean {
  if (access === "anyone") return true;
  return role !== undefined && role >= ROLE[access];
}

export function isAdmin(role: number | undefined): boolean {
  return mayAccess("admin", role);
}

export function isRoot(role: number | undefined): boolean {
  return mayAccess("root", role);
}
