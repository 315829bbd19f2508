import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import { listTokens } from "@one-api/contract/token";
import { createAccessToken, getSelf, login } from "@one-api/contract/accounts/user";
import * as calls from "@one-api/contract/accounts/user-management";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { checkBalances } from "@one-api/ledger/check-balances";
import { createTestApp, type TestApp, type TestLogin } from "../../../testing/create-test-app.ts";
import { createTestClient } from "../../../testing/test-client.ts";

for (const kind of DATABASE_KINDS) {
  describe(`managing users on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let root: TestLogin;
    let admin: TestLogin;
    before(async () => {
      testApp = await createTestApp({ kind });
      root = await testApp.logInAs("root");
      admin = await testApp.logInAs("admin");
    });
    after(() => testApp.close());

    const row = (id: number) =>
      testApp.database.db
        .selectFrom("users")
        .select(["username", "role", "status", "email", "github_id", "access_token_hash", "password_hash"])
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
    const audit = async (id: number) =>
      (
        await testApp.database.db
          .selectFrom("audit")
          .select(["actor_id", "action"])
          .where("object", "=", `user:${id}`)
          .where("action", "like", "user.%")
          .orderBy("id")
          .execute()
      ).map(({ actor_id, action }) => [actor_id, action]);
    const manage = (by: TestLogin, username: string, action: string) =>
      by.client.send(calls.manageUser, { body: { username, action } });

    test("[CALL-31] [CALL-32] [USER-42] [USER-43] each action returns the user's new role and status", async () => {
      const { user } = await testApp.logInAs("user");
      const standings = [];
      for (const action of ["promote", "demote", "disable", "enable", "delete"] as const)
        standings.push(await root.client.data(calls.manageUser, { body: { username: user.username, action } }));
      assert.deepEqual(standings, [
        { role: 10, status: 1 },
        { role: 1, status: 1 },
        { role: 1, status: 2 },
        { role: 1, status: 1 },
        { role: 1, status: 3 },
      ]);
      assert.deepEqual(
        await audit(user.id),
        ["promote", "demote", "disable", "enable", "delete"].map((action) => [root.user.id, `user.${action}`]),
      );
      assert.equal((await manage(root, user.username, "enable")).envelope?.code, "user-not-found");
      assert.equal((await manage(root, admin.user.username, "crown")).status, 400);
    });

    test("[USER-30] [ROLE-17] equals, higher roles and root are refused", async () => {
      const { user: peer } = await testApp.logInAs("admin");
      const stored = [await row(1), await row(peer.id), await row(admin.user.id)];
      for (const action of calls.USER_ACTIONS) {
        const refusals = [
          await manage(admin, "root", action),
          await manage(admin, peer.username, action),
          await manage(admin, admin.user.username, action),
          await manage(root, "root", action),
        ];
        for (const { status, envelope } of refusals)
          assert.deepEqual([status, envelope?.code], [403, "user-not-below-you"], action);
      }
      assert.deepEqual([await row(1), await row(peer.id), await row(admin.user.id)], stored);
      assert.deepEqual(await audit(peer.id), []);
    });

    test("only root makes administrators; an administrator cannot be promoted again", async () => {
      const { user } = await testApp.logInAs("user");
      const refused = await manage(admin, user.username, "promote");
      assert.deepEqual([refused.status, refused.envelope?.code], [403, "user-promote-root-only"]);
      assert.equal((await manage(root, user.username, "demote")).envelope?.code, "user-is-regular");
      assert.equal((await manage(root, admin.user.username, "promote")).envelope?.code, "user-is-administrator");
      assert.deepEqual([(await row(user.id)).role, (await row(admin.user.id)).role], [1, 10]);
    });

    test("[ROLE-10] [ROLE-16] [ROLE-13] every call is refused to users and anonymous clients, and leaves no trace", async () => {
      const { user: victim } = await testApp.logInAs("user");
      const { client: user } = await testApp.logInAs("user");
      const stored = [await row(victim.id), await audit(victim.id)];
      const body = { id: victim.id, username: "hijacked", password: "stolen password", quota: 1 };
      for (const [call, input] of [
        [calls.listUsers, {}],
        [calls.searchUsers, { query: { keyword: "root" } }],
        [calls.getUser, { params: { id: victim.id } }],
        [calls.listTokensOfUser, { params: { id: victim.id } }],
        [calls.createUser, { body }],
        [calls.updateUser, { body }],
        [calls.manageUser, { body: { username: victim.username, action: "delete" } }],
      ] as const) {
        assert.equal((await user.send(call, input)).status, 403, call.path);
        assert.equal((await testApp.client().send(call, input)).status, 401, call.path);
      }
      assert.deepEqual([await row(victim.id), await audit(victim.id)], stored);
    });

    test("[V14] disabling ends sessions and access token for good", async () => {
      const { user, client } = await testApp.logInAs("user", { password: "right password" });
      const script = createTestClient(testApp.app, { accessToken: await client.data(createAccessToken) });
      const enter = () =>
        testApp.client().send(login, { body: { username: user.username, password: "right password" } });
      await admin.client.data(calls.manageUser, { body: { username: user.username, action: "disable" } });
      assert.deepEqual([(await client.send(getSelf)).status, (await script.send(getSelf)).status], [401, 401]);
      assert.equal((await enter()).envelope?.code, "account-disabled");
      await admin.client.data(calls.manageUser, { body: { username: user.username, action: "enable" } });
      assert.equal((await client.send(getSelf)).status, 401);
      assert.equal((await enter()).envelope?.success, true);
    });

    test("[V14] a demoted administrator's session loses the role at once", async () => {
      const { user, client } = await testApp.logInAs("admin");
      assert.equal((await client.send(calls.listUsers)).status, 200);
      await root.client.data(calls.manageUser, { body: { username: user.username, action: "demote" } });
      assert.deepEqual([(await client.send(calls.listUsers)).status, (await client.send(getSelf)).status], [403, 200]);
    });

    test("[USER-44] a deleted user is removed from lists and logins; name, address and bindings are free, balances stay", async () => {
      const { user, client } = await testApp.logInAs("user", {
        username: "leaver",
        email: "leaver@example.com",
        password: "right password",
        quota: 700,
      });
      await testApp.database.db.updateTable("users").set({ github_id: "42" }).where("id", "=", user.id).execute();
      await admin.client.data(calls.manageUser, { body: { username: "leaver", action: "delete" } });
      assert.equal((await client.send(listTokens)).status, 401);
      for (const name of ["leaver", "leaver@example.com"]) {
        const body = { username: name, password: "right password" };
        assert.equal((await testApp.client().send(login, { body })).envelope?.code, "wrong-credentials");
      }
      const gone = await row(user.id);
      assert.deepEqual(
        [gone.email, gone.github_id, gone.access_token_hash, gone.password_hash, gone.status],
        ["", "", null, "", 3],
      );
      for (const keyword of ["leaver", String(user.id)]) {
        const found = await admin.client.data(calls.searchUsers, { query: { keyword } });
        assert.ok(
          found.every(({ id }) => id !== user.id),
          keyword,
        );
      }
      const absent = await admin.client.send(calls.getUser, { params: { id: user.id } });
      assert.equal(absent.envelope?.code, "user-not-found");
      const body = { username: "leaver", password: "another person" };
      assert.equal((await admin.client.data(calls.createUser, { body })).username, "leaver");
      assert.deepEqual(await checkBalances(testApp.database), []);
    });

    test("concurrent promotions and deletions never delete an administrator", async () => {
      for (let round = 0; round < 5; round += 1) {
        const { user } = await testApp.logInAs("user");
        const [promoted, deleted] = await Promise.all([
          manage(root, user.username, "promote"),
          manage(admin, user.username, "delete"),
        ]);
        const { role, status } = await row(user.id);
        const outcome = [promoted.envelope?.success, deleted.envelope?.success, role, status];
        assert.ok(
          [
            [true, false, 10, 1],
            [false, true, 1, 3],
          ].some((allowed) => allowed.every((value, index) => value === outcome[index])),
          JSON.stringify(outcome),
        );
      }
    });

    test("managing writes no log entry", async () => {
      const { user } = await testApp.logInAs("user");
      await manage(admin, user.username, "disable");
      const logs = await testApp.database.db
        .selectFrom("logs")
        .select("id")
        .where("user_id", "=", user.id)
        .where("type", "=", LOG_TYPE.management)
        .execute();
      assert.deepEqual(logs, []);
    });
  });
}
