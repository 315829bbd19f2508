import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type AuditEntry, listAudit } from "@one-api/contract/audit";
import { createInvitations, listInvitations } from "@one-api/contract/accounts/invitation";
import * as keys from "@one-api/contract/accounts/management-key";
import { createAccessToken, updateSelf } from "@one-api/contract/accounts/user";
import { createUser, listUsers, manageUser, updateUser } from "@one-api/contract/accounts/user-management";
import { listLogs } from "@one-api/contract/logs/log";
import { listPrices } from "@one-api/contract/prices/pricing";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { createTestApp, type TestApp, type TestLogin } from "../../../testing/create-test-app.ts";
import { clientWithKey } from "../../../testing/create-test-key.ts";
import { setOptions } from "../../../testing/set-options.ts";
import { createTestClient, type TestClient } from "../../../testing/test-client.ts";

const password = "correct horse";

for (const kind of DATABASE_KINDS) {
  describe(`management keys on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let root: TestLogin;
    before(async () => {
      testApp = await createTestApp({ kind });
      root = await testApp.logInAs("root");
    });
    after(() => testApp.close());

    const use = (key: string) => createTestClient(testApp.app, { accessToken: `Bearer ${key}` });
    const create = ({ client }: TestLogin, input: object = {}) =>
      client.data(keys.createManagementKey, { body: { name: "deploy", scopes: ["invitations:write"], ...input } });
    const codeOf = async (client: TestClient) => {
      const { status, envelope } = await client.send(listInvitations);
      return envelope?.success === true ? "done" : `${status} ${envelope?.code}`;
    };

    test("are shown once, stored as a hash and listed with their last use", async () => {
      const admin = await testApp.logInAs("admin");
      const { key, ...made } = await create(admin, { scopes: ["logs:read", "logs:write"], networks: ["127.0.0.0/8"] });
      assert.match(key, /^oam_[A-Za-z0-9]{40}$/);
      assert.deepEqual([made.hint, made.scopes, made.expires_at], [key.slice(-4), ["logs:write"], -1]);
      await use(key).data(listLogs);
      const [listed] = await admin.client.data(keys.listManagementKeys);
      const now = Math.floor(testApp.clock.nowMs() / 1000);
      assert.deepEqual(listed, { ...made, last_used_at: now, last_used_address: "127.0.0.1" });
      const rows = await testApp.database.db.selectFrom("management_keys").selectAll().execute();
      const audit = await testApp.database.db.selectFrom("audit").selectAll().execute();
      assert.doesNotMatch(JSON.stringify([rows, audit]), new RegExp(key.slice(4)));
      assert.ok(!testApp.logLines.join("").includes(key));
    });

    test("are named by the audit trail, also after their end", async () => {
      const admin = await testApp.logInAs("admin");
      const { id, key } = await create(admin, { name: "pipeline" });
      await use(key).data(createInvitations, { body: { name: "guest" } });
      const newest = async (): Promise<AuditEntry | undefined> =>
        (await root.client.data(listAudit, { query: { kind: "invitation", size: 10 } }))[0];
      const entry = await newest();
      assert.deepEqual(
        [entry?.action, entry?.actor_id, entry?.via, entry?.via_name],
        ["invitation.create", admin.user.id, `management-key:${id}`, "pipeline"],
      );
      await admin.client.data(keys.revokeManagementKey, { params: { id } });
      assert.equal((await newest())?.via_name, "pipeline");
    });

    test("of every administrator are listed and revoked by root, but those of others not by administrators", async () => {
      const [one, two] = [await testApp.logInAs("admin"), await testApp.logInAs("admin")];
      const { id, key } = await create(one);
      assert.deepEqual(await two.client.data(keys.listManagementKeys), []);
      for (const call of [keys.revokeManagementKey, keys.rotateManagementKey]) {
        const refused = await two.client.send(call, { params: { id }, body: {} });
        assert.equal(refused.envelope?.code, "management-key-not-found");
      }
      const rotated = await root.client.send(keys.rotateManagementKey, { params: { id }, body: {} });
      assert.equal(rotated.envelope?.code, "management-key-not-found", "root would learn a secret of another one");
      const found = (await root.client.data(keys.listManagementKeys)).find((listed) => listed.id === id);
      assert.deepEqual([found?.owner, found?.is_own], [one.user.username, false]);
      await root.client.data(keys.revokeManagementKey, { params: { id } });
      assert.equal(await codeOf(use(key)), "401 management-key-invalid");
    });

    test("expire, and are not made for the past", async () => {
      const now = Math.floor(testApp.clock.nowMs() / 1000);
      const body = { name: "past", scopes: ["logs:read"], expires_at: now };
      const refused = await root.client.send(keys.createManagementKey, { body });
      assert.deepEqual([refused.status, refused.envelope?.field], [400, "expires_at"]);
      const { key } = await create(root, { expires_at: now + 60 });
      assert.equal(await codeOf(use(key)), "done");
      testApp.clock.advanceSeconds(60);
      assert.equal(await codeOf(use(key)), "401 management-key-invalid");
    });

    test("work from their networks only, for whatever call", async () => {
      const { key } = await create(root, { networks: ["192.0.2.0/24", "2001:db8::/32"] });
      const from = async (remoteAddress: string, url: string) =>
        (await testApp.app.inject({ url, remoteAddress, headers: { authorization: `Bearer ${key}` } })).statusCode;
      for (const address of ["192.0.2.9", "::ffff:192.0.2.9", "2001:db8::9"])
        assert.equal(await from(address, "/api/invitation/"), 200, address);
      for (const url of ["/api/invitation/", "/api/status"]) assert.equal(await from("198.51.100.1", url), 403);
      const wrong = { name: "n", scopes: ["logs:read"], networks: ["192.0.2.0/33"] };
      const refused = await root.client.send(keys.createManagementKey, { body: wrong });
      assert.deepEqual([refused.status, refused.envelope?.field], [400, "networks.0"]);
    });

    test("follow their owner: demoted, disabled or deleted", async () => {
      const standing = async (action: string, { user }: TestLogin) =>
        root.client.data(manageUser, { body: { username: user.username, action } });
      for (const action of ["demote", "disable", "delete"]) {
        const admin = await testApp.logInAs("admin");
        const { key } = await create(admin);
        assert.equal(await codeOf(use(key)), "done");
        await standing(action, admin);
        assert.equal(await codeOf(use(key)), "401 management-key-invalid", action);
        if (action === "disable") await standing("enable", admin);
        if (action === "disable") assert.equal(await codeOf(use(key)), "done");
      }
    });

    test("end when somebody else sets the owner's password, as an intruder may have them", async () => {
      const admin = await testApp.logInAs("admin");
      const { key } = await create(admin);
      await admin.client.data(updateSelf, { body: { password } });
      assert.equal(await codeOf(use(key)), "done", "the owner's own change ends sessions only");
      await root.client.data(updateUser, { body: { id: admin.user.id, password: "another horse" } });
      assert.equal(await codeOf(use(key)), "401 management-key-invalid");
    });

    test("are rotated: the previous secret works until its end, an older one ends at once", async () => {
      const first = await create(root);
      const rotate = (overlap_seconds: number) =>
        root.client.data(keys.rotateManagementKey, { params: { id: first.id }, body: { overlap_seconds } });
      const second = await rotate(60);
      assert.notEqual(second.key, first.key);
      assert.equal(second.old_key_ends_at, Math.floor(testApp.clock.nowMs() / 1000) + 60);
      for (const { key } of [first, second]) assert.equal(await codeOf(use(key)), "done");
      const third = await rotate(3600);
      assert.equal(await codeOf(use(first.key)), "401 management-key-invalid");
      assert.equal(await codeOf(use(second.key)), "done");
      testApp.clock.advanceSeconds(3600);
      root = await testApp.logInAs("root");
      assert.equal(await codeOf(use(second.key)), "401 management-key-invalid");
      const fourth = await rotate(0);
      assert.equal(await codeOf(use(third.key)), "401 management-key-invalid");
      await root.client.data(keys.revokeManagementKey, { params: { id: first.id } });
      assert.equal(await codeOf(use(fourth.key)), "401 management-key-invalid");
    });

    test("are edited by their owner: name, scopes, networks and expiry, with the same secret", async () => {
      const admin = await testApp.logInAs("admin");
      const { id, key } = await create(admin);
      const edit = (body: object, client = admin.client) =>
        client.send(keys.updateManagementKey, { params: { id }, body });
      const narrowed = await edit({ scopes: ["logs:read"], networks: ["192.0.2.0/24"] });
      assert.equal(narrowed.envelope?.message, "");
      assert.equal(await codeOf(use(key)), "403 management-key-network");
      await edit({ networks: [] });
      assert.equal(await codeOf(use(key)), "403 management-key-scope");
      const now = Math.floor(testApp.clock.nowMs() / 1000);
      await edit({ name: " release ", scopes: ["invitations:read", "invitations:write"], expires_at: now + 60 });
      assert.equal(await codeOf(use(key)), "done");
      const read = await admin.client.data(keys.getManagementKey, { params: { id } });
      assert.deepEqual([read.name, read.scopes, read.expires_at], ["release", ["invitations:write"], now + 60]);
      const [entry] = await root.client.data(listAudit, { query: { kind: "management-key", size: 10 } });
      const name = entry?.details.find(({ field }) => field === "name");
      assert.deepEqual([entry?.action, name?.from, name?.to], ["management-key.update", "deploy", "release"]);
      assert.deepEqual(entry?.details.map(({ field }) => field).toSorted(), ["expires_at", "name", "scopes"]);
      const count = () => testApp.database.db.selectFrom("audit").select("id").execute();
      const known = (await count()).length;
      await edit({ name: "release" });
      assert.equal((await count()).length, known, "an edit without a change leaves no entry");
    });

    test("are edited into nothing that a new key could not be", async () => {
      const admin = await testApp.logInAs("admin");
      const { id, key } = await create(admin);
      const edit = async (body: object, client = admin.client) => {
        const { envelope } = await client.send(keys.updateManagementKey, { params: { id }, body });
        return envelope?.success === true ? "done" : `${envelope?.code} ${envelope?.field ?? ""}`;
      };
      assert.equal(await edit({ expires_at: 1 }), "invalid-input expires_at");
      assert.equal(await edit({ scopes: [] }), "invalid-input scopes");
      assert.equal(await edit({ networks: ["192.0.2.0/33"] }), "invalid-input networks.0");
      assert.equal(await edit({ name: "n" }, root.client), "management-key-not-found ", "root revokes, but edits none");
      assert.equal(await edit({ scopes: ["users:write"] }, use(key)), "management-key-call ");
      const token = use(await admin.client.data(createAccessToken));
      assert.equal(await edit({ scopes: ["users:write"] }, token), "not-allowed ");
      const other = await testApp.logInAs("admin");
      assert.equal(
        (await other.client.send(keys.getManagementKey, { params: { id } })).envelope?.code,
        "management-key-not-found",
      );
      await admin.client.data(keys.revokeManagementKey, { params: { id } });
      assert.equal(await edit({ name: "n" }), "management-key-not-found ", "a revoked key stays revoked");
    });

    test("an expired one can be renamed, and works again with a later end", async () => {
      const admin = await testApp.logInAs("admin");
      const now = Math.floor(testApp.clock.nowMs() / 1000);
      const { id, key } = await create(admin, { expires_at: now + 1 });
      testApp.clock.advanceSeconds(2);
      const edit = (body: object) => admin.client.data(keys.updateManagementKey, { params: { id }, body });
      await edit({ name: "again", expires_at: now + 1 });
      assert.equal(await codeOf(use(key)), "401 management-key-invalid");
      await edit({ expires_at: -1 });
      assert.equal(await codeOf(use(key)), "done");
    });

    test("make no keys: neither does an access token, which would outlive itself", async () => {
      const token = use(await root.client.data(createAccessToken));
      const body = { name: "n", scopes: ["logs:read"] };
      assert.equal((await token.send(keys.createManagementKey, { body })).envelope?.code, "not-allowed");
      const { id } = await create(root);
      const rotated = await token.send(keys.rotateManagementKey, { params: { id }, body: {} });
      assert.equal(rotated.envelope?.code, "not-allowed");
      await token.data(keys.revokeManagementKey, { params: { id } });
    });

    test("get no rights beyond their scopes by the users that they manage", async () => {
      const key = await clientWithKey(testApp, root.user.id, ["users:write"]);
      const admin = await testApp.logInAs("admin");
      for (const id of [root.user.id, admin.user.id]) {
        const refused = await key.send(updateUser, { body: { id, password } });
        assert.equal(refused.envelope?.code, "user-not-below-you");
      }
      const user = await key.data(createUser, { body: { username: `made-${kind}`, password } });
      const promoted = await key.send(manageUser, { body: { username: user.username, action: "promote" } });
      assert.equal(promoted.envelope?.code, "management-key-call");
      const demoted = await key.send(manageUser, { body: { username: admin.user.username, action: "demote" } });
      assert.equal(demoted.envelope?.code, "user-not-below-you");
      assert.equal((await key.send(createInvitations, { body: { name: "n" } })).envelope?.code, "management-key-scope");
      await key.data(listUsers);
    });

    test("are visitors to open calls outside their scopes", async () => {
      const admin = await testApp.logInAs("admin", { group: "vip" });
      const seen = async (client: TestClient) => JSON.stringify((await client.send(listPrices)).envelope?.data);
      const visitor = await seen(testApp.client());
      assert.equal(await seen(await clientWithKey(testApp, admin.user.id, ["logs:read"])), visitor);
      assert.equal(await seen(await clientWithKey(testApp, admin.user.id, ["models:read"])), await seen(admin.client));
    });

    test("are limited in number, and found by their header alone", async () => {
      const admin = await testApp.logInAs("admin");
      const row = { user_id: admin.user.id, name: "n", hint: "", scopes: "", networks: "", created_at: 1 };
      const rows = Array.from({ length: 99 }, () => ({ ...row, key_hash: null, expires_at: -1 }));
      await testApp.database.db.insertInto("management_keys").values(rows).execute();
      const { key, id } = await create(admin);
      const body = { name: "n", scopes: ["logs:read"] };
      const refused = await admin.client.send(keys.createManagementKey, { body });
      assert.equal(refused.envelope?.code, "management-keys-full");
      await admin.client.data(keys.revokeManagementKey, { params: { id } });
      await create(admin);
      for (const wrong of [key, "oam_", `oam_${"x".repeat(40)}`])
        assert.equal(await codeOf(use(wrong)), "401 management-key-invalid");
    });

    // The last one: root has no second factor to switch it off again.
    test("of an administrator without the required second factor have the rights of a regular user", async () => {
      const { key } = await create(await testApp.logInAs("admin"));
      await setOptions(testApp, { AdminSecondFactorEnabled: "true" });
      assert.equal(await codeOf(use(key)), "403 second-factor-missing");
    });
  });
}
