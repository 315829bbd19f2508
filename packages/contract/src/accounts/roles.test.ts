import assert from "node:assert/strict";
import { test } from "node:test";
import { isAdmin, isRoot, mayAccess } from "./roles.ts";

const roles: readonly (readonly [
  lines: string,
  role: number | undefined,
  may: { user: boolean; admin: boolean; root: boolean },
])[] = [
  ["[ROLE-01] nobody", undefined, { user: false, admin: false, root: false }],
  ["[ROLE-02] role 1", 1, { user: true, admin: false, root: false }],
  ["a role below administrators", 9, { user: true, admin: false, root: false }],
  ["[ROLE-03] role 10", 10, { user: true, admin: true, root: false }],
  ["a role between", 99, { user: true, admin: true, root: false }],
  ["[ROLE-04] role 100", 100, { user: true, admin: true, root: true }],
  ["a role above root's", 101, { user: true, admin: true, root: true }],
];
for (const [name, role, may] of roles) {
  test(`${name} may what it says`, () => {
    assert.ok(mayAccess("anyone", role));
    assert.deepEqual({ user: mayAccess("user", role), admin: isAdmin(role), root: isRoot(role) }, may);
  });
}
