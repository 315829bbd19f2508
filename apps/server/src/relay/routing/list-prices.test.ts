import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createChannel } from "@one-api/contract/channels/channel";
import { findUnpricedModels, listListedPrices, listPrices, type OfferedPrice } from "@one-api/contract/prices/pricing";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import { setOptions } from "../../testing/set-options.ts";
import type { TestClient } from "../../testing/test-client.ts";

for (const kind of DATABASE_KINDS) {
  describe(`prices on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    before(async () => {
      testApp = await createTestApp({ kind });
      const { client } = await testApp.logInAs("admin");
      const channel = { type: 1, name: "open", key: "sk-x", models: "gpt-4o,mapped,home-grown" };
      await client.data(createChannel, {
        body: { ...channel, group: "default,vip", model_mapping: '{"mapped":"gpt-4o-mini"}' },
      });
      await client.data(createChannel, {
        body: { ...channel, type: 3, base_url: "https://a.example", models: "gpt-4o" },
      });
      await client.data(createChannel, { body: { ...channel, type: 14, models: "claude-opus-4-5,o3", group: "vip" } });
      await client.data(createChannel, { body: { ...channel, models: "gpt-off", status: 2 } });
      await client.data(createChannel, {
        body: { ...channel, models: "dall-e-3,tts-1,whisper-1,gpt-image-1", group: "studio" },
      });
      await setOptions(testApp, { GroupRatio: '{"default":1,"vip":0.5}' });
    });
    after(() => testApp.close());

    const pricesFor = async (client: TestClient) =>
      new Map((await client.data(listPrices)).map((price) => [price.model, price]));
    const clientOf = async (group: string) => (await testApp.logInAs("user", { group })).client;
    const shown = ({ types, group, input, output, cached_input }: OfferedPrice) => ({ types, group, input, output, cached_input }); // prettier-ignore

    test("visitors see what the group default may call, at the price that requests are charged", async () => {
      const prices = await pricesFor(testApp.client());
      assert.deepEqual([...prices.keys()], ["gpt-4o", "home-grown", "mapped"]);
      const gpt = prices.get("gpt-4o");
      assert.ok(gpt);
      assert.deepEqual(shown(gpt), { types: [1, 3], group: "default", input: 2.5, output: 10, cached_input: 1.25 });
      assert.deepEqual([gpt.context_tokens, gpt.max_output_tokens, gpt.abilities], [128_000, 16_384, ["images", "tools"]]); // prettier-ignore
      assert.equal(prices.get("mapped")?.input, 0.15, "by the model that the provider is asked for");
      assert.deepEqual([prices.get("home-grown")?.input, prices.get("home-grown")?.output], [60, 60]);
    });

    test("a model without a known price says so until an administrator sets one, in the list and when it is asked for", async () => {
      const { client } = await testApp.logInAs("admin");
      const marked = async () => {
        const prices = await pricesFor(testApp.client());
        const query = { type: 1, models: "gpt-4o,home-grown,another one" };
        return {
          listed: [...prices].flatMap(([model, { is_unpriced }]) => (is_unpriced === true ? [model] : [])),
          found: await client.data(findUnpricedModels, { query }),
        };
      };
      assert.deepEqual(await marked(), { listed: ["home-grown"], found: ["home-grown", "another one"] });
      await setOptions(testApp, { ModelRatio: '{"home-grown":1}' });
      assert.deepEqual(await marked(), { listed: [], found: ["another one"] });
      await setOptions(testApp, { ModelRatio: "{}" });
      const user = await clientOf("default");
      const { status } = await user.send(findUnpricedModels, { query: { type: 1, models: "gpt-4o" } });
      assert.equal(status, 403);
    });

    test("what is priced by pictures, characters or minutes is listed so, at the group's ratio", async () => {
      await setOptions(testApp, { GroupRatio: '{"default":1,"vip":0.5,"studio":0.5}' });
      const prices = await pricesFor(await clientOf("studio"));
      const told = [...prices].map(([model, { unit_price: price, abilities }]) => [model, price, abilities.at(-1)]);
      assert.deepEqual(told, [
        ["dall-e-3", { unit: "image", dollars: 0.02 }, "drawing"],
        ["gpt-image-1", undefined, "drawing"],
        ["tts-1", { unit: "character", dollars: 7.5 }, "speech"],
        ["whisper-1", { unit: "second", dollars: 0.003 }, "audio"],
      ]);
      const { client } = await testApp.logInAs("admin");
      const listed = await client.data(listListedPrices);
      assert.deepEqual(
        listed.find(({ model }) => model === "whisper-1"),
        { model: "whisper-1", type: 1, served: true, unit: "second", model_ratio: 15, completion_ratio: 1 },
      );
    });

    test("a model that gives no tokens back says so, whatever its price of them", async () => {
      const { client } = await testApp.logInAs("admin");
      const body = { type: 1, name: "vectors", key: "sk-x", models: "text-embedding-3-small,gpt-4o", group: "vectors" };
      await client.data(createChannel, { body });
      const told = [...(await pricesFor(await clientOf("vectors"))).values()];
      assert.deepEqual(
        told.map(({ model, input_only: isInputOnly }) => [model, isInputOnly]),
        [
          ["gpt-4o", undefined],
          ["text-embedding-3-small", true],
        ],
      );
    });

    test("a group's ratio is in the prices, and of several groups the first that serves a model pays", async () => {
      const vip = await pricesFor(await clientOf("vip"));
      const claude = vip.get("claude-opus-4-5");
      assert.deepEqual(
        [claude?.input, claude?.output, claude?.cache_write, claude?.web_search],
        [2.5, 12.5, 3.125, 0.005],
      );
      assert.deepEqual([vip.get("gpt-4o")?.input, vip.get("gpt-4o")?.group_ratio], [1.25, 0.5]);
      const both = await pricesFor(await clientOf("default,vip"));
      assert.deepEqual([both.get("gpt-4o")?.group, both.get("o3")?.group], ["default", "vip"]);
    });

    test("own ratios are the price from the next request on, by kind of channel where they say so", async () => {
      await setOptions(testApp, { ModelRatio: '{"gpt-4o":2,"gpt-4o(3)":3}', CompletionRatio: '{"gpt-4o":5}' });
      const prices = await testApp.client().data(listPrices);
      assert.deepEqual(prices.filter(({ model }) => model === "gpt-4o").map(shown), [
        { types: [1], group: "default", input: 4, output: 20, cached_input: 2 },
        { types: [3], group: "default", input: 6, output: 30, cached_input: 3 },
      ]);
      await setOptions(testApp, { QuotaPerUnit: "1000000" });
      assert.equal((await pricesFor(testApp.client())).get("gpt-4o")?.input, 3, "a quota is worth half");
      await setOptions(testApp, { QuotaPerUnit: "500000", ModelRatio: "", CompletionRatio: "" });
    });

    test("every step of long prompts and every own tier is listed", async () => {
      const steps = [
        { above: 1_000, input: 4, output: 8 },
        { above: 2_000, input: 6, output: 12 },
      ];
      await setOptions(testApp, {
        ModelPrices: JSON.stringify({ "gpt-4o": { input: 2, output: 4, steps, tiers: { flex: 0.5, priority: 2 } } }),
      });
      const price = (await pricesFor(await clientOf("vip"))).get("gpt-4o");
      assert.deepEqual(price?.tiers, { flex: 0.5, priority: 2 });
      assert.deepEqual(price.long_prompt, { above: 1_000, input: 2, output: 4 });
      assert.deepEqual(price.long_prompts, [
        { above: 1_000, input: 2, output: 4 },
        { above: 2_000, input: 3, output: 6 },
      ]);
      await setOptions(testApp, { ModelPrices: "" });
      const usual = (await pricesFor(testApp.client())).get("gpt-4o");
      assert.deepEqual([usual?.tiers, usual?.long_prompts], [undefined, undefined]);
    });

    test("the page can be switched off for everybody", async () => {
      await setOptions(testApp, { PricingEnabled: "false" });
      assert.equal((await testApp.client().send(listPrices)).envelope?.code, "pricing-off");
      await setOptions(testApp, { PricingEnabled: "true" });
    });

    test("administrators see the maintained list beside what is served", async () => {
      const { client } = await testApp.logInAs("admin");
      const listed = new Map((await client.data(listListedPrices)).map((price) => [price.model, price]));
      const of = { model_ratio: 1.25, completion_ratio: 4 };
      assert.deepEqual(listed.get("gpt-4o"), { model: "gpt-4o", type: 1, served: true, ...of });
      assert.deepEqual(listed.get("home-grown")?.model_ratio, null);
      assert.equal(listed.get("kimi-k3")?.served, false);
      assert.equal((await (await clientOf("default")).send(listListedPrices)).status, 403);
    });
  });
}
