import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createToken, deleteToken, getToken, listTokens, type Token, updateToken } from "@one-api/contract/token";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { checkBalances } from "@one-api/ledger/check-balances";
import { type Ledger, whenSettled } from "@one-api/ledger/ledger";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";

for (const kind of DATABASE_KINDS) {
  describe(`tokens with running requests on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let ledger: Ledger;
    before(async () => {
      testApp = await createTestApp({ kind });
      ({ ledger } = testApp.deps.relay);
    });
    after(() => testApp.close());

    const payerOf = (token: Token) => ({
      userId: token.user_id,
      tokenId: token.id,
      tokenUnlimited: token.unlimited_quota,
    });
    const reserve = (token: Token, requestId: string, amount: number) =>
      ledger.reserve({ ...payerOf(token), requestId, amount, createdAt: 1 });
    const settle = (token: Token, requestId: string, charge: number) =>
      whenSettled(ledger, { ...payerOf(token), requestId, charge, channelId: 0, log: undefined, at: 1 });

    test("an edit during a reservation and a charge releases nothing, and balances match", async () => {
      const { client } = await testApp.logInAs("user", { quota: 100_000_000 });
      const token = await client.data(createToken, { body: { name: "busy", remain_quota: 10_000 } });
      const requests = Array.from({ length: 40 }, async (_, index) => {
        const requestId = `${kind}-busy-${index}`;
        if (!(await reserve(token, requestId, 100)).ok) return 0;
        return (await settle(token, requestId, 60)).charged;
      });
      const edits = Array.from({ length: 12 }, (_, index) =>
        client.send(updateToken, {
          body: { id: token.id, ...(index % 2 === 0 ? { recharge_quota: 0.01 } : { remain_quota: 9_000 + index }) },
        }),
      );
      const charged = (await Promise.all(requests)).reduce((sum, amount) => sum + amount, 0);
      for (const answer of await Promise.all(edits)) assert.equal(answer.envelope?.success, true, answer.text);
      assert.equal(charged, 2_400, "every request found cover");
      assert.equal((await client.data(getToken, { params: { id: token.id } })).used_quota, charged);
      assert.deepEqual(await checkBalances(testApp.database), []);
    });

    test("reserved quota stays with the token until the request ends", async () => {
      const { client } = await testApp.logInAs("user", { quota: 1_000 });
      const token = await client.data(createToken, { body: { name: "open", remain_quota: 500 } });
      assert.equal((await reserve(token, `${kind}-open`, 300)).ok, true);
      const remaining = async () => (await client.data(getToken, { params: { id: token.id } })).remain_quota;
      assert.equal(await remaining(), 500, "it remains until it is charged");
      const lowered = await client.data(updateToken, { body: { id: token.id, remain_quota: 50 } });
      assert.equal(lowered.remain_quota, 300, "the answer says what the request in flight still holds");
      assert.equal(await remaining(), 300);
      const tooMuch = await client.send(updateToken, { body: { id: token.id, remain_quota: 701 } });
      assert.equal(tooMuch.envelope?.code, "token-quota-above-own", "the owner has 700 left while 300 are set aside");
      assert.match(tooMuch.envelope?.message ?? "", /701.*700.*unlimited quota/);
      await settle(token, `${kind}-open`, 120);
      assert.equal(await remaining(), 180);
      assert.equal((await client.data(updateToken, { body: { id: token.id, remain_quota: 50 } })).remain_quota, 50);
      assert.deepEqual(await checkBalances(testApp.database), []);
    });

    test("quota reserved by a batch is not in the edited quota, and returns to the token", async () => {
      const { client } = await testApp.logInAs("user", { quota: 1_000 });
      const token = await client.data(createToken, { body: { name: "batch", remain_quota: 500 } });
      const { batches } = testApp.deps.relay;
      const requestId = `${kind}-batch`;
      const reserved = await batches.reserve({ ...payerOf(token), requestId, amount: 300, createdAt: 1 });
      assert.equal(reserved.ok, true);
      const remaining = async () => (await client.data(getToken, { params: { id: token.id } })).remain_quota;
      assert.equal(await remaining(), 200);
      const lowered = await client.data(updateToken, { body: { id: token.id, remain_quota: 50 } });
      assert.equal(lowered.remain_quota, 50);
      await batches.settle({ ...payerOf(token), requestId, charge: 120, channelId: 0, log: undefined, at: 1 });
      assert.equal(await remaining(), 230);
      assert.deepEqual(await checkBalances(testApp.database), []);
    });

    test("charges of an unlimited token are recorded, so that they count when it becomes limited", async () => {
      const { client } = await testApp.logInAs("user", { quota: 1_000 });
      const body = { name: "free", unlimited_quota: true, remain_quota: 400 };
      const token = await client.data(createToken, { body });
      assert.equal((await reserve(token, `${kind}-free`, 900)).ok, true, "its own quota does not limit it");
      await settle(token, `${kind}-free`, 900);
      await client.data(updateToken, { body: { id: token.id, remain_quota: 30_000 } });
      const limited = await client.data(updateToken, {
        body: { id: token.id, unlimited_quota: false, remain_quota: 100 },
      });
      assert.deepEqual([limited.remain_quota, limited.used_quota], [100, 900]);
      const again = await reserve(limited, `${kind}-limited`, 101);
      assert.equal(again.ok, false);
      assert.deepEqual(await checkBalances(testApp.database), []);
    });

    test("a token can be deleted during a request, which is charged to its owner", async () => {
      const { client, user } = await testApp.logInAs("user", { quota: 1_000 });
      const token = await client.data(createToken, { body: { name: "gone", remain_quota: 500 } });
      await reserve(token, `${kind}-gone`, 300);
      await client.data(deleteToken, { params: { id: token.id } });
      assert.deepEqual(await settle(token, `${kind}-gone`, 250), { settled: true, charged: 250 });
      const owner = await testApp.database.db
        .selectFrom("user_balances")
        .select(["remaining", "used"])
        .where("user_id", "=", user.id)
        .executeTakeFirstOrThrow();
      assert.deepEqual([owner.remaining, owner.used], [750, 250]);
      assert.deepEqual(await checkBalances(testApp.database), []);
    });

    test("a refused edit changes no field, entry or audit row", async () => {
      const { client, user } = await testApp.logInAs("user", { quota: 1_000 });
      const token = await client.data(createToken, { body: { name: "kept", remain_quota: 500 } });
      const { db } = testApp.database;
      const trail = async () => [
        await db.selectFrom("audit").select("id").where("actor_id", "=", user.id).execute(),
        await db.selectFrom("ledger_entries").select("id").where("token_id", "=", token.id).execute(),
        await client.data(listTokens),
      ];
      const untouched = await trail();
      await client.send(updateToken, { body: { id: token.id, name: "renamed", remain_quota: 1_001 } });
      await client.send(createToken, { body: { name: "batch", batch_number: 3, remain_quota: 1_001 } });
      assert.deepEqual(await trail(), untouched);
    });
  });
}
