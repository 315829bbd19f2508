import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { getTroubles } from "@one-api/contract/usage/dashboard";
import { listPrices } from "@one-api/contract/prices/pricing";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { NO_LOG_STORE } from "@one-api/log-store/no-log-store";
import { alertText, takePendingAlerts } from "../../../features/alerts/index.ts";
import { alertRefusedModels } from "../../../features/pricing/index.ts";
import { systemClock } from "../../../platform/clock.ts";
import { setOptions } from "../../../testing/set-options.ts";
import { CHAT, chatBody, errorOf, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";
import { createFindRefused } from "../index.ts";

const [PRICED, UNPRICED, MAPPED, UPSTREAM] = ["gpt-4o-mini", "in-no-price-list", "short-name", "mapped-to-no-list"];
const DAY_MS = 86_400_000;

for (const kind of DATABASE_KINDS) {
  describe(
    `models refused for want of a price, where administrators are asked, on ${kind}`,
    {
      skip: whyMissing(kind) ?? false,
    },
    () => {
      let gateway: RelayTest;
      let key: string;
      let passedMs = 0;
      before(async () => {
        const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + passedMs };
        gateway = await startRelayTest({ kind, clock });
        const upstream = await gateway.upstream();
        await gateway.addChannel(upstream, { name: "all", models: `${PRICED},${UNPRICED},quiet-model` });
        const mapping = JSON.stringify({ [MAPPED]: UPSTREAM });
        await gateway.addChannel(upstream, { name: "mapped", models: MAPPED, model_mapping: mapping });
        const ModelAliases = JSON.stringify({ nick: [UNPRICED] });
        await setOptions(gateway.testApp, { UnpricedModels: "ask", ModelAliases });
        key = await gateway.addToken();
      });
      after(() => gateway.close());

      const refuse = async (model: string, times = 1) => {
        for (let call = 0; call < times; call += 1) {
          const answer = await gateway.post(CHAT, key, chatBody("hello", { model }));
          assert.equal(answer.status, 403);
          assert.equal((await errorOf(answer)).code, "model_without_price");
        }
      };
      const alerts = async () => {
        const { deps, database } = gateway.testApp;
        await deps.relay.refusals.flush(true);
        const findRefused = createFindRefused({ ...deps.relay, options: deps.options });
        const run = (logStore = deps.logStore) =>
          alertRefusedModels({ ...deps, logStore }, { options: deps.options, findRefused });
        await run(NO_LOG_STORE);
        await Promise.all([run(), run()]);
        const taken = (await takePendingAlerts(database.db)).map(({ alert }) => alert);
        return taken.filter(({ kind: about }) => about === "model-without-price");
      };
      /** By a new session, since those of a day ago have ended. */
      const troubles = async () => {
        const { client } = await gateway.testApp.logInAs("admin");
        return (await client.data(getTroubles)).unpriced_models;
      };

      test("are reported and listed with the price that is missing, by their number of requests", async () => {
        assert.equal((await gateway.post(CHAT, key, chatBody("hello", { model: PRICED }))).status, 200);
        assert.equal((await gateway.post(CHAT, key, chatBody("hello", { model: "in-no-channel" }))).status, 404);
        assert.deepEqual(
          (await gateway.root.data(listPrices)).map(({ model }) => model),
          [PRICED],
        );
        assert.deepEqual(await alerts(), []);
        assert.deepEqual(await troubles(), []);
        await refuse(UNPRICED, 4);
        await refuse(MAPPED, 2);
        await refuse("nick");
        const found = await alerts();
        assert.deepEqual(found, [
          { kind: "model-without-price", model: UNPRICED, priceOf: UNPRICED, requests: 4 },
          { kind: "model-without-price", model: MAPPED, priceOf: UPSTREAM, requests: 2 },
          { kind: "model-without-price", model: "nick", priceOf: UNPRICED, requests: 1 },
        ]);
        const [first, second] = found;
        assert.ok(first !== undefined && second !== undefined);
        assert.match(alertText(first, "en"), /^Requests for the model in-no-price-list .* since it has no price: 4 in/);
        assert.match(alertText(second, "zh-CN"), /short-name .*mapped-to-no-list 未设价格.* 2 次/);
        assert.deepEqual(await troubles(), [
          { model: UNPRICED, price_of: UNPRICED, requests: 4 },
          { model: MAPPED, price_of: UPSTREAM, requests: 2 },
          { model: "nick", price_of: UNPRICED, requests: 1 },
        ]);
      });

      test("are reported once, and leave the list with a price or another answer", async () => {
        passedMs += DAY_MS / 2;
        await refuse(UNPRICED);
        passedMs += DAY_MS / 2 + 60_000;
        await refuse(MAPPED);
        assert.deepEqual(await alerts(), []);
        assert.deepEqual(await troubles(), [
          { model: UNPRICED, price_of: UNPRICED, requests: 1 },
          { model: MAPPED, price_of: UPSTREAM, requests: 1 },
        ]);
        await setOptions(gateway.testApp, { ModelRatio: JSON.stringify({ [UPSTREAM]: 1 }) });
        assert.deepEqual(
          (await troubles())?.map(({ model }) => model),
          [UNPRICED],
        );
        for (const answer of ["refuse", "fallback"]) {
          await setOptions(gateway.testApp, { UnpricedModels: answer });
          assert.deepEqual(await troubles(), [], answer);
        }
        await setOptions(gateway.testApp, { UnpricedModels: "ask" });
      });

      test("are reported again after a price that was taken away, at most daily", async () => {
        assert.deepEqual(await alerts(), []);
        await setOptions(gateway.testApp, { ModelRatio: "{}" });
        await refuse(MAPPED);
        assert.deepEqual(
          (await alerts()).map((alert) => "model" in alert && alert.model),
          [MAPPED],
        );
        await setOptions(gateway.testApp, { ModelRatio: JSON.stringify({ [UPSTREAM]: 1 }) });
        assert.deepEqual(await alerts(), []);
        await setOptions(gateway.testApp, { ModelRatio: "{}" });
        await refuse(MAPPED);
        assert.deepEqual(await alerts(), []);
      });
    },
  );
}
