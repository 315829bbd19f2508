import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { after, afterEach, before, describe, test } from "node:test";
import { createChannel } from "@one-api/contract/channels/channel";
import { findPriceList, getPriceList, listWaitingPrices, usePriceList } from "@one-api/contract/prices/price-list";
import { listPrices } from "@one-api/contract/prices/pricing";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { BUILT_IN_PRICE_LIST, usePriceList as takePrices } from "@one-api/providers/prices/price-list";
import { contextOfGateway } from "../../core/call-context.ts";
import { modelCatalogue, priceListReader } from "../../provider-facts.ts";
import { takePendingAlerts } from "../alerts/index.ts";
import { followPriceList, followPublishedPrices, type PriceListDependencies } from "./index.ts";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import { setOptions } from "../../testing/set-options.ts";
import type { TestClient } from "../../testing/test-client.ts";

const environment = { SECRET_KEY: "the same key for both servers on it" };

const priced = (id: string, input: number, output: number) => ({
  id,
  match: { equals: id },
  prices: { input_mtok: input, output_mtok: output },
});
const listOf = (...models: object[]) => JSON.stringify([{ id: "openai", models }]);

for (const kind of DATABASE_KINDS) {
  describe(`newer prices on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let root: TestClient;
    let server: Server;
    let answer = "";
    before(async () => {
      testApp = await createTestApp({ kind, environment });
      server = createServer((_request, response) => response.end(answer)).listen(0, "127.0.0.1");
      await once(server, "listening");
      const address = server.address();
      assert.ok(typeof address === "object" && address !== null);
      await setOptions(testApp, { PriceListAddress: `http://127.0.0.1:${address.port}/data.json` });
      root = (await testApp.logInAs("root")).client;
      const body = { type: 1, name: "one", key: "sk-one", models: "gpt-4o,gpt-new" };
      await root.data(createChannel, { body });
    });
    afterEach(() => root.data(usePriceList, { body: { version: "" } }));
    after(async () => {
      server.close();
      await testApp.close();
      takePrices(BUILT_IN_PRICE_LIST);
    });

    const offered = async () => {
      const prices = await root.data(listPrices);
      return Object.fromEntries(prices.map(({ model, input, output }) => [model, [input, output]]));
    };
    const versionInUse = async () => (await root.data(getPriceList)).version;

    test("are shown beside current ones, and apply once they are used", async () => {
      answer = listOf(priced("gpt-4o", 2, 8), priced("gpt-new", 1, 3));
      const today = await offered();
      const found = await root.data(findPriceList);
      assert.equal(found.models, 2);
      assert.deepEqual(found.changes.slice(0, 2), [
        {
          model: "gpt-4o",
          type: 1,
          served: true,
          before: { input: 2.5, output: 10, cached_input: 1.25 },
          after: { input: 2, output: 8 },
          has_own_ratio: false,
          kind: "dearer",
          due_at: null,
        },
        {
          model: "gpt-new",
          type: 1,
          served: true,
          before: null,
          after: { input: 1, output: 3 },
          has_own_ratio: false,
          kind: "new",
          due_at: null,
        },
      ]);
      // A model that only the built-in list has gets the price of unknown models.
      assert.ok(found.changes.some((change) => change.model === "gpt-5" && !change.served && change.after === null));
      assert.deepEqual([await offered(), await versionInUse()], [today, ""]);

      await root.data(usePriceList, { body: { version: found.version } });
      assert.deepEqual(await offered(), { "gpt-4o": [2, 8], "gpt-new": [1, 3] });
      assert.equal(await versionInUse(), found.version);
      assert.deepEqual((await root.data(findPriceList)).changes, []);

      await root.data(usePriceList, { body: { version: "" } });
      assert.deepEqual([await offered(), await versionInUse()], [today, ""]);
    });

    test("by name lie over the list of this version, and keep it for other models", async () => {
      answer = JSON.stringify({ prices: { "gpt-new": { per_request: 0.02 }, "gpt-4o(3)": { input: 1, output: 1 } } });
      const { version, changes } = await root.data(findPriceList);
      assert.deepEqual(
        changes.filter(({ served }) => served).map((change) => [change.model, change.after]),
        [["gpt-new", { per_request: 0.02 }]],
      );
      await root.data(usePriceList, { body: { version } });
      const prices = await root.data(listPrices);
      const units = prices.map(({ model, input, unit_price }) => [model, unit_price?.dollars ?? input]);
      assert.deepEqual(Object.fromEntries(units), { "gpt-4o": 2.5, "gpt-new": 0.02 });
    });

    describe("by the policy", () => {
      const DAY = 86_400;
      const follow = () => followPublishedPrices(contextOfGateway(testApp.deps), deps);
      const alerts = async () => (await takePendingAlerts(testApp.database.db)).map(({ alert }) => alert);
      const waiting = async () =>
        ((await root.data(listWaitingPrices))?.changes ?? []).flatMap(({ model, type, served, ...change }) =>
          served ? [[`${model}(${type})`, change.kind, change.due_at]] : [],
        );
      const nextDay = async () => {
        testApp.clock.advanceSeconds(DAY);
        root = (await testApp.logInAs("root")).client;
      };
      let deps: PriceListDependencies;
      before(async () => {
        const { changes, log, options } = testApp.deps;
        const parts = { database: testApp.database, changes, reader: priceListReader, log };
        const priceLists = await followPriceList(parts);
        deps = { options, catalogue: modelCatalogue, reader: priceListReader, priceLists, program: "test" };
        await setOptions(testApp, { PriceListPolicy: "delayed" });
      });
      after(() => setOptions(testApp, { PriceListPolicy: "off" }));

      test("cheaper prices apply at once, dearer ones after a day, each with an audit row and an alert", async () => {
        await nextDay();
        await alerts();
        const prices = (more: object) => JSON.stringify({ prices: { "gpt-new": { input: 1, output: 3 }, ...more } });
        answer = prices({ "gpt-4o": { input: 3, output: 12, cached_input: 1.5 } });
        await follow();
        const now = Math.floor(testApp.clock.nowMs() / 1_000);
        assert.deepEqual(await offered(), { "gpt-4o": [2.5, 10], "gpt-new": [1, 3] });
        assert.deepEqual(await waiting(), [["gpt-4o(1)", "dearer", now + DAY]]);
        assert.deepEqual(await alerts(), [
          { kind: "prices-found", changes: ["gpt-4o $2.5 / $10 → $3 / $12"], count: 1 },
          { kind: "prices-changed", what: "PriceList", by: "", changes: ["gpt-new – → $1 / $3"], count: 1 },
        ]);
        // Nothing is fetched again within the day, and the same change is announced once.
        await follow();
        assert.deepEqual(await alerts(), []);
        await nextDay();
        await Promise.all([follow(), follow()]);
        assert.deepEqual(await offered(), { "gpt-4o": [3, 12], "gpt-new": [1, 3] });
        assert.deepEqual(await waiting(), []);
        const changed = (await alerts()).filter((alert) => alert.kind === "prices-changed");
        assert.equal(changed.length, 1);
        const row = testApp.database.db.selectFrom("audit").select("detail").where("action", "=", "option.use-prices");
        const { detail } = await row.orderBy("id", "desc").executeTakeFirstOrThrow();
        assert.match(detail, /"gpt-4o\(1\)":\{"from":\{"input":2\.5.*"to":\{"input":3,/);
      });

      test("a price that falls to nothing or tenfold waits, and a broken list changes nothing", async () => {
        await nextDay();
        answer = JSON.stringify({
          prices: { "gpt-4o": { input: 0, output: 0 }, "gpt-new": { input: 70, output: 70 } },
        });
        await follow();
        await nextDay();
        await follow();
        assert.deepEqual(await offered(), { "gpt-4o": [2.5, 10], "gpt-new": [60, 60] });
        assert.deepEqual(await waiting(), [
          ["gpt-4o(1)", "odd", null],
          ["gpt-new(1)", "odd", null],
        ]);
        await nextDay();
        answer = JSON.stringify({ prices: { "gpt-4o": { input: -1, output: 1 } } });
        await assert.rejects(follow(), /prices\.gpt-4o\.input: must be 0/);
      });

      test("nothing is fetched while it is off", async () => {
        await setOptions(testApp, { PriceListPolicy: "off" });
        await nextDay();
        answer = "<html>";
        await follow();
      });
    });

    test("stay in use after a restart and on other servers", async (t) => {
      answer = listOf(priced("gpt-4o", 3, 9));
      const { version } = await root.data(findPriceList);
      await root.data(usePriceList, { body: { version } });
      takePrices(BUILT_IN_PRICE_LIST);
      const again = await createTestApp({ database: testApp.database, environment });
      t.after(() => again.close());
      assert.deepEqual((await offered())["gpt-4o"], [3, 9]);
      const { client } = await again.logInAs("admin");
      assert.equal((await client.data(getPriceList)).version, version);
    });

    test("of an outdated list cannot be used", async () => {
      answer = listOf(priced("gpt-4o", 4, 4));
      const { version } = await root.data(findPriceList);
      answer = listOf(priced("gpt-4o", 5, 5));
      await root.data(findPriceList);
      const refused = await root.send(usePriceList, { body: { version } });
      assert.equal(refused.envelope?.code, "price-list-gone");
      assert.deepEqual([(await offered())["gpt-4o"], await versionInUse()], [[2.5, 10], ""]);
    });

    test("that are invalid are refused with the position, and change nothing", async () => {
      for (const [text, reason] of [
        ["<html>", "no JSON"],
        ["{}", "no price list"],
        [listOf(priced("gpt-4o", -1, 1)), "models.0.prices"],
        [`"${"x".repeat(17 * 1024 * 1024)}"`, "longer than"],
      ] as const) {
        answer = text;
        const refused = await root.send(findPriceList);
        assert.equal(refused.envelope?.code, "price-list-failed", text.slice(0, 20));
        assert.match(String(refused.envelope?.values?.["reason"]), new RegExp(reason));
      }
      assert.equal(await versionInUse(), "");
    });
  });
}
