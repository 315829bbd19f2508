import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";
import { setOptions } from "../../../testing/set-options.ts";
import type { TestClient } from "../../../testing/test-client.ts";

for (const kind of DATABASE_KINDS) {
  describe(`what a key may spend on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let gateway: RelayTest;
    let owner: TestClient;
    before(async () => {
      gateway = await startRelayTest({ kind });
      owner = (await gateway.testApp.logInAs("user", { quota: 5_000_000 })).client;
    });
    after(() => gateway.close());

    const ask = async (path: string, key: string) => {
      const answer = await fetch(gateway.url + path, { headers: { authorization: `Bearer ${key}` } });
      return { status: answer.status, body: await answer.json() };
    };

    test("[OPER-15] [OPER-16] it is the token's or its owner's, in dollars or quota, as the options say", async () => {
      const key = await gateway.addToken({ remain_quota: 1_000_000, expired_time: 4_000_000_000 }, owner);
      const subscription = async (limit: number) => {
        for (const path of ["/v1/dashboard/billing/subscription", "/dashboard/billing/subscription"]) {
          assert.deepEqual(await ask(path, key), {
            status: 200,
            body: {
              object: "billing_subscription",
              has_payment_method: true,
              soft_limit_usd: limit,
              hard_limit_usd: limit,
              system_hard_limit_usd: limit,
              access_until: 4_000_000_000,
            },
          });
        }
      };
      await subscription(2);
      await setOptions(gateway.testApp, { DisplayTokenStatEnabled: "false" });
      await subscription(10);
      await setOptions(gateway.testApp, { DisplayInCurrencyEnabled: "false" });
      await subscription(5_000_000);
      await setOptions(gateway.testApp, { DisplayTokenStatEnabled: "true", DisplayInCurrencyEnabled: "true" });
      const usage = { status: 200, body: { object: "list", total_usage: 0 } };
      assert.deepEqual(await ask("/v1/dashboard/billing/usage?start_date=2026-01-01", key), usage);
    });

    test("what was spent is told in cents, and a token without a limit says so", async () => {
      await gateway.addChannel(await gateway.upstream());
      const key = await gateway.addToken({ unlimited_quota: true }, owner);
      const chat = { model: "gpt-4o-mini", messages: [{ role: "user", content: "hello" }] };
      assert.equal((await gateway.post("/v1/chat/completions", key, chat)).status, 200);
      const [log] = (await gateway.books()).logs;
      assert.ok(log !== undefined && log.quota > 0);
      assert.deepEqual((await ask("/v1/dashboard/billing/usage", key)).body, {
        object: "list",
        total_usage: Number((log.quota / 5_000).toPrecision(12)),
      });
      const { body } = await ask("/v1/dashboard/billing/subscription", key);
      assert.equal(JSON.stringify(body).includes("100000000"), true);
    });

    test("without a key there is no answer, and other paths there are none", async () => {
      assert.equal((await ask("/dashboard/billing/usage", "sk-nobody")).status, 401);
      const key = await gateway.addToken({ remain_quota: 1 }, owner);
      assert.equal((await ask("/dashboard/billing/credit_grants", key)).status, 404);
    });
  });
}
