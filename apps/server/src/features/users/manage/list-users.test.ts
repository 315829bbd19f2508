import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { TOTAL_COUNT_HEADER } from "@one-api/contract/constants";
import { createToken } from "@one-api/contract/token";
import * as calls from "@one-api/contract/accounts/user-management";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { createTestApp, type TestApp, type TestLogin } from "../../../testing/create-test-app.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import { setPool } from "../../../testing/ledger/set-pool.ts";

for (const kind of DATABASE_KINDS) {
  describe(`listing users on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let admin: TestLogin;
    let zoe: TestLogin;
    before(async () => {
      testApp = await createTestApp({ kind });
      admin = await testApp.logInAs("admin", { username: "chief", quota: 50 });
      zoe = await testApp.logInAs("user", { username: "Zoë_1", email: "zoe@mail.example", quota: 70, group: "" });
      await testApp.logInAs("user", { username: "adam", email: "adam@post.example", quota: 60, group: "svip, vip" });
      await testApp.logInAs("user", { username: "bert", quota: 10, status: 2, group: "vip" });
    });
    after(() => testApp.close());

    const names = async (query: Record<string, string | number>) =>
      (await admin.client.data(calls.searchUsers, { query })).map(({ username }) => username).join(" ");

    test("[CALL-28] [CALL-08] [CALL-09] pages, newest first, with the total in a header", async () => {
      const page = await admin.client.send(calls.listUsers, { query: { p: 0, size: 10 } });
      assert.equal(page.headers[TOTAL_COUNT_HEADER], "5");
      assert.equal(await names({ size: 10 }), "bert adam Zoë_1 chief root");
      assert.equal(await names({ size: 10, p: 1 }), "");
      assert.equal((await admin.client.send(calls.listUsers, { query: { size: 7 } })).status, 400);
    });

    test("[CALL-29] [USER-10] [USER-11] [USER-12] [USER-13..19] orders by every column, both ways", async () => {
      await setPool(testApp.database, "user", zoe.user.id, { used: 9, requests: 1 });
      assert.equal(await names({ order: "quota" }), "root Zoë_1 adam chief bert");
      assert.equal(await names({ order: "quota", direction: "asc" }), "bert chief adam Zoë_1 root");
      assert.equal(await names({ order: "used_quota" }), "Zoë_1 bert adam chief root");
      assert.equal(await names({ order: "request_count" }), "Zoë_1 bert adam chief root");
      assert.equal(await names({ order: "username" }), "adam bert chief root Zoë_1");
      assert.equal(await names({ order: "id", direction: "asc" }), "root chief Zoë_1 adam bert");
      assert.equal(await names({ order: "role" }), "root chief bert adam Zoë_1");
      assert.equal(await names({ order: "status" }), "bert adam Zoë_1 chief root");
      assert.equal(await names({ order: "group", direction: "desc" }), "bert adam Zoë_1 chief root");
      assert.equal((await admin.client.send(calls.listUsers, { query: { order: "password_hash" } })).status, 400);
    });

    test("[USER-01..07] [CALL-30] searches id, username, display name and e-mail without case; wildcards are plain characters", async () => {
      await testApp.database.db
        .updateTable("users")
        .set({ display_name: "The 100% Bear" })
        .where("username", "=", "bert")
        .execute();
      assert.equal(await names({ keyword: ` ${zoe.user.id} ` }), "Zoë_1");
      assert.equal(await names({ keyword: "CHIE" }), "chief");
      assert.equal(await names({ keyword: "100% b" }), "bert");
      assert.equal(await names({ keyword: "@post." }), "adam");
      assert.equal(await names({ keyword: "zoë_" }), "Zoë_1");
      assert.equal(await names({ keyword: "a_a" }), "");
      assert.equal(await names({ keyword: "'" }), "");
      assert.equal(await names({ keyword: "" }), "bert adam Zoë_1 chief root");
    });

    test("filters by status, role and group; an empty group is the default one", async () => {
      assert.equal(await names({ status: 2 }), "bert");
      assert.equal(await names({ role: 10 }), "chief");
      assert.equal(await names({ group: "vip" }), "bert adam");
      assert.equal(await names({ group: "default" }), "Zoë_1 chief root");
      assert.equal(await names({ group: "ip" }), "");
    });

    test("[V9] [ENT-013] rows contain no credentials", async () => {
      const { text } = await admin.client.send(calls.listUsers);
      assert.doesNotMatch(text, /password|access_token|hash|aff_code/);
    });

    test("the last request or visit of a user is shown to those who may edit the user", async () => {
      const activeAt = async ({ client }: TestLogin, keyword: string) =>
        (await client.data(calls.searchUsers, { query: { keyword } })).map(({ last_active_at: at }) => at);
      const visitedAt = nowSeconds(testApp.clock);
      assert.deepEqual(await activeAt(admin, "Zoë"), [visitedAt]);
      await setPool(testApp.database, "user", zoe.user.id, { last_used_at: visitedAt + 60 });
      assert.deepEqual(await activeAt(admin, "Zoë"), [visitedAt + 60]);
      assert.equal(
        (await admin.client.data(calls.getUser, { params: { id: zoe.user.id } })).last_active_at,
        visitedAt + 60,
      );
      assert.deepEqual(await activeAt(admin, "chief"), [0], "oneself and equals");
      assert.deepEqual(await activeAt(await testApp.logInAs("root"), "chief"), [visitedAt]);
    });

    test("[V9] a user's tokens are listed without their keys", async () => {
      const { key } = await zoe.client.data(createToken, { body: { name: "secret one", remain_quota: 5 } });
      const input = { params: { id: zoe.user.id } };
      const answer = await admin.client.send(calls.listTokensOfUser, input);
      assert.equal(answer.headers[TOTAL_COUNT_HEADER], "1");
      assert.ok(!answer.text.includes(key));
      const [token] = await admin.client.data(calls.listTokensOfUser, input);
      assert.deepEqual([token?.name, token?.status, token?.remain_quota], ["secret one", 1, 5]);
      const [row] = await admin.client.data(calls.searchUsers, { query: { keyword: "zoë_" } });
      assert.equal(row?.token_count, 1);
    });
  });
}
