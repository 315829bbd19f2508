import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import { updateOption } from "@one-api/contract/options/option";
import { getSelf, login } from "@one-api/contract/accounts/user";
import * as calls from "@one-api/contract/accounts/user-management";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { ROLE } from "@one-api/contract/accounts/roles";
import { checkBalances } from "@one-api/ledger/check-balances";
import { whenSettled } from "@one-api/ledger/ledger";
import { createQuotaLedger } from "@one-api/ledger/quota-in-transaction";
import { createTestApp, type TestApp, type TestLogin } from "../../../testing/create-test-app.ts";
import { createTestToken } from "../../../testing/create-test-token.ts";
import { testHasher } from "../../../testing/create-test-user.ts";
import { endSessions } from "../../sessions/index.ts";
import { updateUser } from "./update-user.ts";

for (const kind of DATABASE_KINDS) {
  describe(`creating and editing users on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let root: TestLogin;
    let admin: TestLogin;
    before(async () => {
      testApp = await createTestApp({ kind });
      root = await testApp.logInAs("root");
      admin = await testApp.logInAs("admin");
    });
    after(() => testApp.close());

    const lastAudit = async (id: number): Promise<unknown> => {
      const { actor_id, action, detail } = await testApp.database.db
        .selectFrom("audit")
        .select(["actor_id", "action", "detail"])
        .where("object", "=", `user:${id}`)
        .orderBy("id", "desc")
        .executeTakeFirstOrThrow();
      const parsed: unknown = JSON.parse(detail);
      return [actor_id, action, parsed];
    };
    const logsOf = (id: number) =>
      testApp.database.db.selectFrom("logs").select(["type", "content"]).where("user_id", "=", id).execute();
    const update = (by: TestLogin, body: object) => by.client.send(calls.updateUser, { body });

    test("[CALL-37] [USER-56] [USER-57] a new user is regular, can log in, and has the quota for new users", async () => {
      await root.client.data(updateOption, { body: { key: "QuotaForNewUser", value: "1000000" } });
      const body = { username: " nina ", display_name: "Nina", password: "first password", role: 100, quota: 9 };
      const created = await admin.client.data(calls.createUser, { body });
      assert.deepEqual(
        [created.username, created.display_name, created.role, created.status, created.quota, created.group],
        ["nina", "Nina", 1, 1, 1_000_000, "default"],
      );
      const entry = await testApp.client().send(login, { body: { username: "nina", password: "first password" } });
      assert.equal(entry.envelope?.success, true);
      assert.deepEqual(await logsOf(created.id), [
        { type: LOG_TYPE.system, content: "Quota for new users: $2.000000." },
      ]);
      assert.deepEqual(await checkBalances(testApp.database), []);
      await root.client.data(updateOption, { body: { key: "QuotaForNewUser", value: "0" } });
      const second = await admin.client.data(calls.createUser, { body: { username: "nils", password: "12345678" } });
      assert.deepEqual([second.display_name, second.quota, await logsOf(second.id)], ["nils", 0, []]);
      assert.deepEqual(await lastAudit(second.id), [
        admin.user.id,
        "user.create",
        { username: "nils", display_name: "nils" },
      ]);
    });

    test("an invalid user is refused by field and not stored", async () => {
      const count = async () => (await admin.client.data(calls.searchUsers)).length;
      const stored = await count();
      for (const [body, code, field] of [
        [{ username: "root", password: "12345678" }, "user-username-taken", "username"],
        [{ username: "a@b", password: "12345678" }, "user-username-at-sign", "username"],
        [{ username: "a\u0007b", password: "12345678" }, "user-name-control-characters", "username"],
        [{ username: "", password: "12345678" }, "invalid-input", "username"],
        [{ username: "x", password: "1234567" }, "invalid-input", "password"],
        [{ username: "x", password: "" }, "invalid-input", "password"],
        [{ username: "x" }, "invalid-input", "password"],
      ] as const) {
        const { envelope } = await admin.client.send(calls.createUser, { body });
        assert.deepEqual([envelope?.success, envelope?.code, envelope?.field], [false, code, field]);
      }
      assert.equal(await count(), stored);
    });

    test("[CALL-35] [USER-51] [CALL-33] given fields change with previous values in the audit trail; a quota is logged for the user", async () => {
      const { user } = await testApp.logInAs("user", { quota: 500_000 });
      const body = { id: user.id, display_name: "New", group: " vip , default,vip ", quota: 250_000 };
      const updated = await admin.client.data(calls.updateUser, { body });
      assert.deepEqual(
        [updated.username, updated.display_name, updated.group, updated.quota],
        [user.username, "New", "vip,default", 250_000],
      );
      assert.deepEqual(await lastAudit(user.id), [
        admin.user.id,
        "user.update",
        {
          display_name: { from: user.username, to: "New" },
          group: { from: "default", to: "vip,default" },
          quota: { from: 500_000, to: 250_000 },
        },
      ]);
      assert.deepEqual(await logsOf(user.id), [
        {
          type: LOG_TYPE.management,
          content: "An administrator changed the quota from $1.000000 to $0.500000.",
        },
      ]);
      await admin.client.data(calls.updateUser, { body: { id: user.id, quota: 0, display_name: "" } });
      const emptied = await admin.client.data(calls.getUser, { params: { id: user.id } });
      assert.deepEqual([emptied.quota, emptied.display_name, emptied.group], [0, "", "vip,default"]);
      assert.deepEqual(await checkBalances(testApp.database), []);
    });

    test("[V10] role, status, bindings, usage and secrets cannot be written", async () => {
      const { user } = await testApp.logInAs("user", { email: "mine@example.com" });
      const row = () =>
        testApp.database.db
          .selectFrom("users")
          .innerJoin("user_balances", "user_id", "users.id")
          .selectAll()
          .where("id", "=", user.id)
          .executeTakeFirstOrThrow();
      const stored = await row();
      const body = {
        id: user.id, role: 100, status: 2, email: "other@example.com", github_id: "1", wechat_id: "2", lark_id: "3",
        access_token: "x", access_token_hash: "x", used_quota: 7, request_count: 7, inviter_id: 1, aff_code: "mine", password_hash: "x",
      }; // prettier-ignore
      await admin.client.data(calls.updateUser, { body });
      assert.deepEqual(await row(), stored);
    });

    test("a new password ends the sessions and is in no audit row; an empty one changes nothing", async () => {
      const { user, client } = await testApp.logInAs("user", { password: "the old password" });
      await admin.client.data(calls.updateUser, { body: { id: user.id, password: "" } });
      assert.equal((await client.send(getSelf)).status, 200);
      await admin.client.data(calls.updateUser, { body: { id: user.id, password: "brand new word" } });
      assert.equal((await client.send(getSelf)).status, 401);
      const enter = (password: string) => testApp.client().send(login, { body: { username: user.username, password } });
      assert.equal((await enter("the old password")).envelope?.code, "wrong-credentials");
      assert.equal((await enter("brand new word")).envelope?.success, true);
      assert.doesNotMatch(JSON.stringify(await lastAudit(user.id)), /brand/);
      assert.equal((await update(admin, { id: user.id, password: "short" })).status, 400);
    });

    test("[V9] [ROLE-17] administrators read and edit neither equals nor root nor themselves; root edits its group and quota", async () => {
      const { user: peer } = await testApp.logInAs("admin");
      for (const id of [1, peer.id, admin.user.id]) {
        for (const refused of [
          await update(admin, { id, quota: 1, password: "taken over by me" }),
          await admin.client.send(calls.getUser, { params: { id } }),
          await admin.client.send(calls.listTokensOfUser, { params: { id } }),
        ])
          assert.deepEqual([refused.status, refused.envelope?.code], [403, "user-not-below-you"]);
      }
      const own = await root.client.data(calls.updateUser, {
        body: { id: 1, group: "vip", password: "root's new one" },
      });
      assert.deepEqual([own.group, own.role], ["vip", 100]);
      assert.equal((await root.client.send(getSelf)).status, 200, "the session that made the change goes on");
      assert.equal((await update(admin, { id: 999_999_999, quota: 1 })).envelope?.code, "user-not-found");
    });

    test("[V9] a user who is promoted during an edit is not edited", async () => {
      const { user } = await testApp.logInAs("user");
      const { db } = testApp.database;
      const { clock, secrets, changes, options } = testApp.deps;
      const actor = { ...admin.user, role: ROLE.admin, group: "", via: "session" } as const;
      const { logStore } = testApp.deps;
      const context = {
        actor,
        address: "",
        requestId: "",
        database: testApp.database,
        clock,
        secrets,
        changes,
        logStore,
      };
      /** Hashes while root promotes the user. */
      const hash = async () => {
        await db.updateTable("users").set({ role: ROLE.admin }).where("id", "=", user.id).execute();
        return "a hash";
      };
      const deps = {
        options,
        ledger: createQuotaLedger(),
        hasher: { ...testHasher, hash },
        endSessions,
        requireProof: async () => undefined,
        sessionId: "",
      };
      const edit = updateUser(context, { id: user.id, password: "taken over" }, deps);
      await assert.rejects(edit, { code: "user-not-below-you" });
      const row = await db.selectFrom("users").select("password_hash").where("id", "=", user.id).executeTakeFirst();
      assert.notEqual(row?.password_hash, "a hash");
    });

    test("groups need a ratio; a current one without may stay", async () => {
      const { user } = await testApp.logInAs("user", { group: "old" });
      assert.equal((await update(admin, { id: user.id, group: "old,vip" })).envelope?.success, true);
      const { user: other } = await testApp.logInAs("user");
      const refused = await update(admin, { id: other.id, group: "default,old", display_name: "kept back" });
      assert.deepEqual(
        [refused.status, refused.envelope?.code, refused.envelope?.field],
        [400, "user-group-unknown", "group"],
      );
      const stored = await admin.client.data(calls.getUser, { params: { id: other.id } });
      assert.deepEqual([stored.group, stored.display_name], ["default", other.username]);
    });

    test("quota reserved by requests stays with the user and is in all figures", async () => {
      const { user } = await testApp.logInAs("user", { quota: 1_000 });
      const tokenId = await createTestToken(testApp.database, user.id, 0, true);
      const { ledger } = testApp.deps.relay;
      const payer = { userId: user.id, tokenId, tokenUnlimited: true };
      const requestId = `${kind}-in-flight`;
      assert.equal((await ledger.reserve({ ...payer, requestId, amount: 300, createdAt: 1 })).ok, true);
      const set = async (quota: number) =>
        (await admin.client.data(calls.updateUser, { body: { id: user.id, quota } })).quota;
      assert.equal(await set(500), 500, "what is reserved is a part of it");
      assert.equal(await set(100), 300, "what is reserved cannot be taken");
      const [, lowered] = await logsOf(user.id);
      assert.match(lowered?.content ?? "", /from \$0\.001000 to \$0\.000600\.$/);
      assert.deepEqual(await lastAudit(user.id), [admin.user.id, "user.update", { quota: { from: 500, to: 300 } }]);
      await whenSettled(ledger, { ...payer, requestId, charge: 120, channelId: 0, log: undefined, at: 1 });
      assert.equal((await admin.client.data(calls.getUser, { params: { id: user.id } })).quota, 180);
      assert.equal(await set(100), 100);
      assert.deepEqual(await checkBalances(testApp.database), []);
    });

    test("quota reserved by a batch is not in the set quota", async () => {
      const { user } = await testApp.logInAs("user", { quota: 1_000 });
      const tokenId = await createTestToken(testApp.database, user.id, 0, true);
      const { batches } = testApp.deps.relay;
      const payer = { userId: user.id, tokenId, tokenUnlimited: true };
      const requestId = `${kind}-batch`;
      assert.equal((await batches.reserve({ ...payer, requestId, amount: 300, createdAt: 1 })).ok, true);
      const quotaOf = async () => (await admin.client.data(calls.getUser, { params: { id: user.id } })).quota;
      assert.equal(await quotaOf(), 700);
      await admin.client.data(calls.updateUser, { body: { id: user.id, quota: 50 } });
      assert.equal(await quotaOf(), 50);
      await batches.settle({ ...payer, requestId, charge: 120, channelId: 0, log: undefined, at: 1 });
      assert.equal(await quotaOf(), 230);
      assert.deepEqual(await checkBalances(testApp.database), []);
    });

    test("of concurrent quotas one remains, and the ledger has every change", async () => {
      const { user } = await testApp.logInAs("user", { quota: 1_000 });
      const wanted = [5_000, 0, 777, 1_000_000];
      const answers = await Promise.all(wanted.map((quota) => update(admin, { id: user.id, quota })));
      for (const { envelope } of answers) assert.equal(envelope?.success, true);
      const { quota } = await admin.client.data(calls.getUser, { params: { id: user.id } });
      assert.ok(wanted.includes(quota), String(quota));
      assert.deepEqual(await checkBalances(testApp.database), []);
    });
  });
}
