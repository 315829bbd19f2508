import assert from "node:assert/strict";
import { test } from "node:test";
import { listCalls } from "../testing/list-calls.ts";
import { KEY_SCOPES } from "./management-key-constants.ts";
import { hasScope, scopeOf } from "./management-key-scopes.ts";

test("every call has one scope, or says why it has none; every scope has a call", async () => {
  const used = new Set<string>();
  const open: string[] = [];
  for (const call of await listCalls()) {
    const needed = scopeOf(call);
    if ("scope" in needed) used.add(needed.scope);
    else if (call.access !== "anyone") open.push(call.path.split("/").slice(2, 4).join("/"));
  }
  assert.deepEqual([...used].toSorted(), KEY_SCOPES.toSorted());
  // What belongs to a person, and the keys themselves. A new call here needs a reason in the table.
  assert.deepEqual([...new Set(open)].toSorted(), [
    "management-key/", "management-key/:id", "oauth/email", "oauth/wechat", "user/aff", "user/factors", "user/self",
    "user/sessions", "user/token", "user/topup", "view/", "view/:id", "view/default",
  ]); // prettier-ignore
});

test("the longest path decides, and a call of an unknown path is an error", () => {
  const read = (path: string) => scopeOf({ path, changesState: false });
  assert.deepEqual(read("/api/user/:id/token"), { scope: "users:read" });
  assert.deepEqual(read("/api/log/:id/bodies"), { scope: "bodies:read" });
  assert.deepEqual(read("/api/log/:id"), { scope: "logs:read" });
  assert.deepEqual(scopeOf({ path: "/api/channel/", changesState: true }), { scope: "channels:write" });
  assert.ok("reason" in read("/api/user/token/state"));
  assert.throws(() => read("/api/tokens"), /has no area/);
});

test("a scope to write includes the one to read, of the same area only", () => {
  assert.ok(hasScope(["channels:write"], "channels:read"));
  assert.ok(hasScope(["channels:read"], "channels:read"));
  assert.ok(!hasScope(["channels:read"], "channels:write"));
  assert.ok(!hasScope(["channels:write"], "users:read"));
});
