import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import * as calls from "@one-api/contract/redemption";
import { getSelf } from "@one-api/contract/accounts/user";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { inTransaction } from "../../core/transaction.ts";
import { checkBalances } from "@one-api/ledger/check-balances";
import { createTestApp, type TestApp, type TestLogin } from "../../testing/create-test-app.ts";

for (const kind of DATABASE_KINDS) {
  describe(`redeeming codes on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let admin: TestLogin;
    before(async () => {
      testApp = await createTestApp({ kind });
      admin = await testApp.logInAs("admin");
    });
    after(() => testApp.close());

    const makeCode = async (quota = 1_000_000) => {
      const [key = ""] = await admin.client.data(calls.createRedemptions, { body: { name: "gift", quota } });
      const [row] = await admin.client.data(calls.listRedemptions);
      return { key, id: row?.id ?? 0 };
    };
    const redeem = ({ client }: TestLogin, key: string) => client.send(calls.redeemCode, { body: { key } });
    const quotaOf = async ({ client }: TestLogin) => (await client.data(getSelf)).quota;
    const codeOf = (id: number) => admin.client.data(calls.getRedemption, { params: { id } });

    test("[CALL-40] [TOPUP-03] [CONST-23] a code raises the quota by the returned amount, in log, ledger and audit trail", async () => {
      const user = await testApp.logInAs("user", { quota: 5 });
      const { key, id } = await makeCode();
      assert.equal(await user.client.data(calls.redeemCode, { body: { key: ` ${key}\n` } }), 1_000_000);
      assert.equal(await quotaOf(user), 1_000_005);
      const { status, redeemed_by, redeemed_time } = await codeOf(id);
      const now = Math.floor(testApp.clock.nowMs() / 1000);
      assert.deepEqual([status, redeemed_by, redeemed_time], [3, user.user.username, now]);
      const { db } = testApp.database;
      const log = await db
        .selectFrom("logs")
        .select(["type", "quota", "username", "content"])
        .where("user_id", "=", user.user.id)
        .execute();
      assert.deepEqual(
        log.map((row) => ({ ...row })),
        [
          {
            type: LOG_TYPE.topUp,
            quota: 1_000_000,
            username: user.user.username,
            content: `Redeemed $2.000000 with the code gift (${id}).`,
          },
        ],
      );
      const audit = await db
        .selectFrom("audit")
        .select(["action", "object", "detail"])
        .where("actor_id", "=", user.user.id)
        .executeTakeFirstOrThrow();
      assert.deepEqual([audit.action, audit.object], ["redemption.redeem", `redemption:${id}`]);
      assert.ok(!audit.detail.includes(key));
      assert.deepEqual(await checkBalances(testApp.database), []);
    });

    test("a used, disabled, deleted or unknown code is refused with its reason", async () => {
      const [first, second] = [
        await testApp.logInAs("user", { quota: 5 }),
        await testApp.logInAs("user", { quota: 5 }),
      ];
      const [used, disabled, deleted] = [await makeCode(), await makeCode(), await makeCode()];
      await redeem(first, used.key);
      await admin.client.data(calls.updateRedemption, {
        query: { status_only: "true" },
        body: { id: disabled.id, status: 2 },
      });
      await admin.client.data(calls.deleteRedemption, { params: { id: deleted.id } });
      for (const [key, code] of [
        [used.key, "redemption-code-used"],
        [disabled.key, "redemption-code-disabled"],
        [deleted.key, "redemption-code-unknown"],
        ["never-was", "redemption-code-unknown"],
        [used.key.toLowerCase(), "redemption-code-unknown"],
        ["", "invalid-input"],
        ["%", "redemption-code-unknown"],
      ] as const)
        assert.equal((await redeem(second, key)).envelope?.code, code);
      assert.deepEqual([await quotaOf(first), await quotaOf(second)], [1_000_005, 5]);
      assert.equal((await testApp.client().send(calls.redeemCode, { body: { key: used.key } })).status, 401);
    });

    test("ten unknown codes an hour block further guesses of that user only", async () => {
      const [guesser, other] = [
        await testApp.logInAs("user", { quota: 0 }),
        await testApp.logInAs("user", { quota: 0 }),
      ];
      const guess = async () => (await redeem(guesser, "no-such-code")).envelope?.code;
      const guessTimes = (times: number) => Promise.all(Array.from({ length: times }, guess));
      await guessTimes(9);
      const { key: used } = await makeCode(100);
      const codes = await Promise.all(
        Array.from({ length: 12 }, async () => (await redeem(guesser, used)).envelope?.code),
      );
      assert.equal(codes.filter((code) => code === "redemption-code-used").length, 11);
      assert.equal(await guess(), "redemption-code-unknown");
      const { key } = await makeCode(100);
      const refused = await redeem(guesser, key);
      assert.deepEqual([refused.status, refused.envelope?.code], [429, "too-many-requests"]);
      assert.equal((await redeem(other, key)).envelope?.success, true);
      testApp.clock.advanceSeconds(3600);
      assert.equal(await guess(), "redemption-code-unknown");
    });

    test("[V17] of thirty concurrent calls one redeems the code", async () => {
      const users = await Promise.all(Array.from({ length: 6 }, () => testApp.logInAs("user", { quota: 5 })));
      const { key, id } = await makeCode(777);
      const tries = Array.from({ length: 5 }, () => users).flat();
      const answers = await Promise.all(tries.map((user) => redeem(user, key)));
      const paid = answers.filter(({ envelope }) => envelope?.success === true);
      assert.equal(paid.length, 1);
      for (const { envelope } of answers.filter((answer) => !paid.includes(answer)))
        assert.equal(envelope?.code, "redemption-code-used");
      const quotas = await Promise.all(users.map(quotaOf));
      assert.deepEqual(
        quotas.sort((one, other) => one - other),
        [5, 5, 5, 5, 5, 782],
      );
      const entries = await testApp.database.db
        .selectFrom("ledger_entries")
        .select("user_amount")
        .where("request_id", "=", `redemption:${id}`)
        .execute();
      assert.deepEqual(
        entries.map(({ user_amount }) => user_amount),
        [777],
      );
      assert.deepEqual(await checkBalances(testApp.database), []);
    });

    test("a code that is edited concurrently is paid as marked, or not at all", async () => {
      for (let round = 0; round < 5; round += 1) {
        const user = await testApp.logInAs("user", { quota: 0 });
        const { key, id } = await makeCode(100);
        const change = (body: object, query = {}) => admin.client.send(calls.updateRedemption, { query, body });
        const [paid] = await Promise.all([
          redeem(user, key),
          change({ id, quota: 900 }),
          change({ id, status: 2 }, { status_only: "true" }),
        ]);
        const { status, quota } = await codeOf(id);
        assert.equal(status, paid.envelope?.success === true ? 3 : 2);
        assert.equal(await quotaOf(user), paid.envelope?.success === true ? quota : 0);
      }
      assert.deepEqual(await checkBalances(testApp.database), []);
    });

    test("a failed redemption leaves code and quota unchanged", async () => {
      const user = await testApp.logInAs("user", { quota: Number.MAX_SAFE_INTEGER - 10 });
      const { key, id } = await makeCode(11);
      assert.equal((await redeem(user, key)).envelope?.code, "redemption-quota-full");
      assert.equal((await codeOf(id)).status, 1);
      const other = await testApp.logInAs("user", { quota: 0 });
      assert.equal(await other.client.data(calls.redeemCode, { body: { key } }), 11);
    });

    test("[V17] [ENT-077] the ledger pays a code once, even if it is marked unused again", async () => {
      const user = await testApp.logInAs("user", { quota: 0 });
      const { key, id } = await makeCode(50);
      await redeem(user, key);
      await testApp.database.db.updateTable("redemptions").set({ status: 1 }).where("id", "=", id).execute();
      assert.equal((await redeem(user, key)).status, 500);
      const again = () =>
        inTransaction(testApp.database, (transaction) =>
          testApp.deps.relay.ledger.quota.redeem(transaction, {
            userId: user.user.id,
            redemptionId: id,
            amount: 50,
            at: 1,
          }),
        );
      await assert.rejects(again);
      assert.equal(await quotaOf(user), 50);
      assert.deepEqual(await checkBalances(testApp.database), []);
    });
  });
}
