import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import { getSelf } from "@one-api/contract/accounts/user";
import { topUpUser } from "@one-api/contract/accounts/user-management";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { checkBalances } from "@one-api/ledger/check-balances";
import { createTestApp, type TestApp, type TestLogin } from "../../../testing/create-test-app.ts";

for (const kind of DATABASE_KINDS) {
  describe(`topping up on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let admin: TestLogin;
    before(async () => {
      testApp = await createTestApp({ kind });
      admin = await testApp.logInAs("admin");
    });
    after(() => testApp.close());

    const topUp = async (by: TestLogin, body: object) => (await by.client.send(topUpUser, { body })).envelope;
    const logsOf = (id: number) =>
      testApp.database.db.selectFrom("logs").select(["type", "quota", "content"]).where("user_id", "=", id).execute();

    test("adds quota, with the remark in the user's log and an audit row", async () => {
      const { client, user } = await testApp.logInAs("user", { quota: 1_000 });
      const paid = { user_id: user.id, quota: 500_000, remark: " Order 17 " };
      const answer = await topUp(admin, paid);
      assert.deepEqual([answer?.success, answer?.message, answer?.data], [true, "", null]);
      assert.equal((await topUp(admin, { user_id: user.id, quota: 250_000 }))?.success, true);
      assert.equal((await client.data(getSelf)).quota, 751_000);
      assert.deepEqual(await logsOf(user.id), [
        { type: LOG_TYPE.topUp, quota: 500_000, content: "Order 17" },
        { type: LOG_TYPE.topUp, quota: 250_000, content: "Topped up $0.500000 through the API." },
      ]);
      const { action, actor_id, detail } = await testApp.database.db
        .selectFrom("audit")
        .select(["action", "actor_id", "detail"])
        .where("object", "=", `user:${user.id}`)
        .executeTakeFirstOrThrow();
      assert.deepEqual([action, actor_id], ["user.topup", admin.user.id]);
      assert.deepEqual(JSON.parse(detail), { quota: 500_000, remark: "Order 17" });
      assert.deepEqual(await checkBalances(testApp.database), []);
    });

    test("of unknown or equal users, by users, and without quota is refused", async () => {
      const { client, user } = await testApp.logInAs("user", { quota: 1_000 });
      const root = await testApp.logInAs("root");
      const other = await testApp.logInAs("admin");
      const refusals = [
        [admin, { user_id: 999_999, quota: 1 }, "user-not-found"],
        [admin, { user_id: root.user.id, quota: 1 }, "user-not-below-you"],
        [admin, { user_id: other.user.id, quota: 1 }, "user-not-below-you"],
        [admin, { user_id: admin.user.id, quota: 1 }, "user-not-below-you"],
        [{ client, user }, { user_id: user.id, quota: 1 }, "not-allowed"],
        [admin, { user_id: user.id, quota: Number.MAX_SAFE_INTEGER }, "user-quota-full"],
        [admin, { user_id: user.id, quota: 0 }, "invalid-input"],
        [admin, { user_id: user.id, quota: -5 }, "invalid-input"],
        [admin, { user_id: user.id, quota: 1.5 }, "invalid-input"],
        [admin, { user_id: user.id }, "invalid-input"],
        [admin, { user_id: user.id, quota: 1, remark: "x".repeat(257) }, "invalid-input"],
      ] as const;
      for (const [by, body, code] of refusals) assert.equal((await topUp(by, body))?.code, code, JSON.stringify(body));
      assert.equal((await client.data(getSelf)).quota, 1_000);
      assert.deepEqual(await logsOf(user.id), []);
      assert.equal((await topUp(root, { user_id: root.user.id, quota: 1 }))?.success, true, "root means itself");
    });
  });
}
