import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createToken, getToken, type Token, updateToken } from "@one-api/contract/token";
import { TOKEN_STATUS } from "@one-api/contract/token-constants";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { checkBalances } from "@one-api/ledger/check-balances";
import { type Ledger, whenSettled } from "@one-api/ledger/ledger";
import { createQuotaLedger } from "@one-api/ledger/quota-in-transaction";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import type { TestClient } from "../../testing/test-client.ts";
import { findTokenOf } from "./token.repository.ts";

for (const kind of DATABASE_KINDS) {
  describe(`changing tokens on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let ledger: Ledger;
    before(async () => {
      testApp = await createTestApp({ kind });
      ({ ledger } = testApp.deps.relay);
    });
    after(() => testApp.close());

    async function ownerWithToken(input: Partial<Token> = {}, quota = 5_000_000) {
      const { client, user } = await testApp.logInAs("user", { quota });
      const { id } = await client.data(createToken, { body: { name: "mine", ...input } });
      const token = await client.data(getToken, { params: { id } });
      return { client, user, token };
    }
    const update = (client: TestClient, body: Record<string, unknown>) => client.data(updateToken, { body });
    const refusal = async (client: TestClient, body: Record<string, unknown>, query = {}) =>
      (await client.send(updateToken, { body, query })).envelope;

    /** Spends like the relay. Returns whether the balance sufficed. */
    async function charge(token: Token, amount: number, requestId: string): Promise<boolean> {
      const payer = { requestId, userId: token.user_id, tokenId: token.id, tokenUnlimited: false };
      if (!(await ledger.reserve({ ...payer, amount, createdAt: 1 })).ok) return false;
      return (await whenSettled(ledger, { ...payer, channelId: 0, charge: amount, log: undefined, at: 1 })).settled;
    }

    test("[CALL-65] changes the given fields, leaves others and the key, and writes an audit row", async () => {
      const { client, user, token } = await ownerWithToken({ models: "gpt-4o", subnet: "10.0.0.0/8" });
      const changed = await update(client, {
        id: token.id,
        name: "renamed",
        models: "a,, b ,a",
        rpm_limit: 0,
        moderations_enable: true,
      });
      assert.deepEqual(changed, { ...token, name: "renamed", models: "a,b", rpm_limit: 0, moderations_enable: true });
      const audit = await testApp.database.db
        .selectFrom("audit")
        .select(["action", "object", "detail"])
        .where("actor_id", "=", user.id)
        .orderBy("id", "desc")
        .executeTakeFirst();
      assert.deepEqual([audit?.action, audit?.object], ["token.update", `token:${token.id}`]);
      assert.ok(audit?.detail.includes("renamed") && !audit.detail.includes(token.key));
    });

    test("[V10] ignores fields that owners must not set", async () => {
      const { client, token } = await ownerWithToken();
      const changed = await update(client, {
        id: token.id,
        user_id: 1,
        used_quota: 7,
        key: "k".repeat(48),
        created_time: 1,
      });
      assert.deepEqual(changed, token);
    });

    test("[TFORM-21] [ENT-055] recharge_quota adds dollars to what remains", async () => {
      const { client, token } = await ownerWithToken({ remain_quota: 1_000 });
      assert.equal((await update(client, { id: token.id, recharge_quota: 2.5 })).remain_quota, 1_251_000);
      assert.equal(
        (await update(client, { id: token.id, remain_quota: 0, recharge_quota: 0.29 })).remain_quota,
        145_000,
      );
      assert.deepEqual(await checkBalances(testApp.database), []);
    });

    test("[TFORM-25] raising is limited by the owner's quota; lowering always succeeds", async () => {
      const { client, token } = await ownerWithToken({ remain_quota: 900_000 }, 1_000_000);
      for (const body of [{ remain_quota: 1_000_001 }, { recharge_quota: 1 }]) {
        const refused = await refusal(client, { id: token.id, ...body });
        assert.equal(refused?.code, "token-quota-above-own");
        assert.match(refused?.message ?? "", /1000000/);
      }
      assert.equal((await client.data(getToken, { params: { id: token.id } })).remain_quota, 900_000);
      assert.equal((await update(client, { id: token.id, remain_quota: 5 })).remain_quota, 5);
    });

    test("[TFORM-25] an unlimited token that becomes limited gets no more than the owner has", async () => {
      const { client, token } = await ownerWithToken({ remain_quota: 2_000_000, unlimited_quota: true }, 1_000_000);
      assert.equal((await refusal(client, { id: token.id, unlimited_quota: false }))?.code, "token-quota-above-own");
      assert.equal((await update(client, { id: token.id, unlimited_quota: false, remain_quota: 10 })).remain_quota, 10);
    });

    test("[TLIMIT-05] [CALL-60] status_only enables or disables and changes nothing else", async () => {
      const { client, user, token } = await ownerWithToken();
      const query = { status_only: "true" };
      const off = await client.data(updateToken, { query, body: { id: token.id, status: 2, name: "other" } });
      assert.deepEqual(off, { ...token, status: TOKEN_STATUS.disabled });
      const on = await client.data(updateToken, { query, body: { id: token.id, status: 1 } });
      assert.deepEqual(on, token);
      assert.match(
        (await refusal(client, { id: token.id, status: 4 }, query))?.message ?? "",
        /1 \(enabled\) or 2 \(disabled\)/,
      );
      assert.equal((await refusal(client, { id: token.id }, query))?.code, "token-status");
      const actions = await testApp.database.db
        .selectFrom("audit")
        .select("action")
        .where("actor_id", "=", user.id)
        .orderBy("id")
        .execute();
      assert.deepEqual(
        actions.map(({ action }) => action),
        ["token.create", "token.set-status", "token.set-status"],
      );
    });

    test("[TLIMIT-03] an expired token cannot be enabled, and is enabled by a later expiry", async () => {
      const expiry = Math.floor(testApp.clock.nowMs() / 1000) + 60;
      const { client, token } = await ownerWithToken({ expired_time: expiry });
      assert.equal(token.status, TOKEN_STATUS.enabled);
      testApp.clock.advanceSeconds(60);
      assert.equal((await client.data(getToken, { params: { id: token.id } })).status, TOKEN_STATUS.expired);
      const refused = await refusal(client, { id: token.id, status: 1 }, { status_only: "true" });
      assert.deepEqual([refused?.code, refused?.field], ["token-expired", "expired_time"]);
      assert.equal((await refusal(client, { id: token.id, status: 1, name: "x" }))?.code, "token-expired");
      const prolonged = await update(client, { id: token.id, status: 3, expired_time: expiry + 3600 });
      assert.equal(prolonged.status, TOKEN_STATUS.enabled);
    });

    test("[TLIMIT-04] an exhausted token cannot be enabled, and is enabled by more quota", async () => {
      const { client, token } = await ownerWithToken({ remain_quota: 100 });
      assert.equal(await charge(token, 100, `exhaust-${token.id}`), true);
      assert.equal((await client.data(getToken, { params: { id: token.id } })).status, TOKEN_STATUS.exhausted);
      const refused = await refusal(client, { id: token.id, status: 1 }, { status_only: "true" });
      assert.deepEqual([refused?.code, refused?.field], ["token-exhausted", "remain_quota"]);
      assert.equal((await update(client, { id: token.id, status: 4, recharge_quota: 1 })).status, TOKEN_STATUS.enabled);
    });

    test("a stored exhausted status ends with more quota; a disabled token stays disabled", async () => {
      const { client, token } = await ownerWithToken({ remain_quota: 0 });
      await testApp.database.db.updateTable("tokens").set({ status: 4 }).where("id", "=", token.id).execute();
      await update(client, { id: token.id, remain_quota: 5 });
      const stored = await testApp.database.db
        .selectFrom("tokens")
        .select("status")
        .where("id", "=", token.id)
        .executeTakeFirst();
      assert.equal(stored?.status, TOKEN_STATUS.enabled);
      await update(client, { id: token.id, status: 2 });
      assert.equal((await update(client, { id: token.id, remain_quota: 50 })).status, TOKEN_STATUS.disabled);
    });

    test("[ROLE-05] [ROLE-17] another user's token is not found, also by administrators", async () => {
      const { token } = await ownerWithToken();
      for (const role of ["user", "admin", "root"] as const) {
        const { client } = await testApp.logInAs(role);
        for (const query of [{}, { status_only: "true" }]) {
          const taken = await client.send(updateToken, { query, body: { id: token.id, status: 2 } });
          const missing = await client.send(updateToken, { query, body: { id: 999_999, status: 2 } });
          assert.equal(taken.envelope?.code, "token-not-found");
          assert.equal(taken.text, missing.text);
        }
      }
      assert.equal((await testApp.client().send(updateToken, { body: { id: token.id } })).status, 401);
    });

    test("a charge during an edit stays charged, and balances match", async () => {
      const { client, token } = await ownerWithToken({ remain_quota: 10_000 }, 100_000_000);
      const charges = Array.from({ length: 40 }, (_, index) => charge(token, 100, `parallel-${token.id}-${index}`));
      const edits = Array.from({ length: 10 }, (_, index) =>
        client.send(updateToken, {
          body: { id: token.id, ...(index % 2 === 0 ? { recharge_quota: 0.01 } : { remain_quota: 3_000 + index }) },
        }),
      );
      const charged = (await Promise.all(charges)).filter(Boolean).length;
      for (const answer of await Promise.all(edits)) assert.equal(answer.envelope?.success, true, answer.text);
      assert.deepEqual(await checkBalances(testApp.database), []);
      const spent = await client.data(getToken, { params: { id: token.id } });
      assert.equal(spent.used_quota, charged * 100);
    });

    test("quota spent after it was read is not returned", async () => {
      const { token } = await ownerWithToken({ remain_quota: 100 });
      const read = await findTokenOf(testApp.database.db, token.user_id, token.id);
      assert.ok(read);
      await charge(token, 40, `meanwhile-${token.id}`);
      const allotment = { userId: token.user_id, tokenId: token.id, from: read.remain_quota, to: 200, at: 1 };
      assert.equal(await createQuotaLedger().allot(testApp.database.db, allotment), undefined);
      assert.equal((await findTokenOf(testApp.database.db, token.user_id, token.id))?.remain_quota, 60);
    });

    test("a change is announced after it is stored", async () => {
      const { client, token } = await ownerWithToken();
      let announced = 0;
      const stop = testApp.deps.changes.subscribe("tokens", () => (announced += 1));
      await update(client, { id: token.id, name: "announced" });
      await refusal(client, { id: 999_999, name: "not announced" });
      stop();
      assert.equal(announced, 1);
    });
  });
}
