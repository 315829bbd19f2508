import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { foreseeChange, type WhatIfInput } from "@one-api/contract/usage/what-if";
import { createChannel, listChannels } from "@one-api/contract/channels/channel";
import { sampleLog } from "@one-api/database/testing/sample-rows";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import { setOptions } from "../../testing/set-options.ts";
import type { TestClient } from "../../testing/test-client.ts";

const [CHEAP, DEAR] = ["gpt-4o-mini", "gpt-4o"];

describe("a change that is not made", () => {
  let testApp: TestApp;
  let root: TestClient;
  const channelId: Record<string, number> = {};
  before(async () => {
    testApp = await createTestApp();
    root = (await testApp.logInAs("root")).client;
    await setOptions(testApp, {
      GroupRatio: JSON.stringify({ default: 1, vip: 2 }),
      ModelRatio: JSON.stringify({ [CHEAP]: 1, [DEAR]: 10 }),
      CompletionRatio: JSON.stringify({ [CHEAP]: 1, [DEAR]: 1 }),
    });
    const add = async (name: string, models: string, more: object = {}) => {
      const body = { type: 1, name, key: "sk-1", models, group: "default,vip", ...more };
      await root.data(createChannel, { body });
    };
    await add("first", `${CHEAP},${DEAR}`, { priority: 1 });
    await add("second", CHEAP, { costs: JSON.stringify({ "*": { factor: 0.5 } }) });
    for (const { name, id } of await root.data(listChannels)) channelId[name] = id;
    const { user: ordinary } = await testApp.logInAs("user", { group: "default" });
    const { user: vip } = await testApp.logInAs("user", { group: "vip,default" });
    const entry = (user_id: number, model_name: string, more: object) =>
      sampleLog({
        user_id,
        model_name,
        channel_id: channelId["first"] ?? 0,
        created_at: Math.floor(testApp.deps.clock.nowMs() / 1_000) - 3_600,
        result: "ok",
        quota: 100,
        cost: 40,
        prompt_tokens: 50,
        completion_tokens: 50,
        is_stream: 1,
        first_byte_ms: 500,
        ...more,
      });
    await testApp.database.db
      .insertInto("logs")
      .values([
        ...Array.from({ length: 30 }, () => entry(ordinary.id, CHEAP, {})),
        ...Array.from({ length: 10 }, () => entry(ordinary.id, CHEAP, { result: "timeout", quota: 0, cost: 0 })),
        ...Array.from({ length: 20 }, () =>
          entry(ordinary.id, CHEAP, { channel_id: channelId["second"], cost: 20, first_byte_ms: 2_000 }),
        ),
        ...Array.from({ length: 5 }, () => entry(vip.id, CHEAP, { quota: 200 })),
        entry(ordinary.id, DEAR, { quota: 1_000, cost: 400 }),
        entry(ordinary.id, DEAR, { quota: 9_999, created_at: 1_700_000_000 }),
      ])
      .execute();
  });
  after(() => testApp.close());

  const ask = (body: WhatIfInput) => root.data(foreseeChange, { body });

  test("without a change is as it happened", async () => {
    const { before: was, after: would, users, models, channels } = await ask({});
    assert.deepEqual(was, would);
    assert.deepEqual(was, {
      requests: 66,
      errors: 10,
      spend: 30 * 100 + 20 * 100 + 5 * 200 + 1_000,
      cost: 30 * 40 + 20 * 20 + 5 * 40 + 400,
      unknown: 0,
      first_byte_ms: was.first_byte_ms,
    });
    assert.deepEqual([users, models, channels], [0, [], []]);
  });

  test("of a group's factor changes the charges of its users", async () => {
    const { before: was, after: would, users, models } = await ask({ group_ratios: { vip: 1 } });
    assert.deepEqual([would.spend - was.spend, would.cost, users], [-500, was.cost, 1]);
    assert.deepEqual(
      models.map(({ model, before: b, after: a }) => [model, b.spend, a.spend]),
      [[CHEAP, 1_000, 500]],
    );
  });

  test("of a price changes the charges of the model", async () => {
    const { after: would, before: was, users } = await ask({ model_prices: { [CHEAP]: [{ input: 4, output: 4 }] } });
    assert.deepEqual([was.spend, would.spend, users], [7_000, 2 * 6_000 + 1_000, 2]);
  });

  test("of a channel moves its requests to the others, with their errors, cost and times", async () => {
    const id = channelId["first"] ?? 0;
    const { before: was, after: would, users, models, channels } = await ask({ channels: [{ id, enabled: false }] });
    const cheap = models.find(({ model }) => model === CHEAP);
    assert.deepEqual([cheap?.before.errors, cheap?.after.errors], [10, 0]);
    const firstByte = cheap?.after.first_byte_ms ?? 0;
    assert.ok(firstByte > 1_880 && firstByte < 2_120, "the time of the second channel, in steps of 6 %");
    assert.equal(cheap?.after.cost, 65 * 20, "the second channel's cost of a request");
    const dear = models.find(({ model }) => model === DEAR);
    assert.deepEqual([dear?.lost_in, dear?.after.errors, dear?.after.spend], [["default"], 1, 0]);
    assert.deepEqual([was.requests, would.requests, users], [66, 66, 2]);
    assert.deepEqual(
      channels.map(({ name, before: b, after: a }) => [name, b, a]),
      [
        ["first", 46, 0],
        ["second", 20, 65],
      ],
    );
  });

  test("of priorities or the pool mode moves them by weight and cost", async () => {
    const id = channelId["second"] ?? 0;
    const equal = await ask({ channels: [{ id, priority: 1 }] });
    assert.deepEqual(
      equal.models.map(({ model }) => model),
      [CHEAP],
    );
    assert.deepEqual(
      equal.channels.map(({ name, after: a }) => [name, a]),
      [
        ["second", 33],
        ["first", 33],
      ],
    );
    const cheapest = await ask({ channels: [{ id, priority: 1 }], pool_mode: "cheapest" });
    assert.deepEqual(cheapest.channels.find(({ name }) => name === "second")?.after, 65);
  });

  test("of a group's factor, a price, a priority and the pool mode is one estimate of all together", async () => {
    const id = channelId["second"] ?? 0;
    const { after: would, channels } = await ask({
      group_ratios: { vip: 1 },
      model_prices: { [CHEAP]: [{ input: 4, output: 4 }] },
      channels: [{ id, priority: 1 }],
      pool_mode: "cheapest",
    });
    // All of the cheap model's requests go to the second channel, which fails none and costs half: 60 at 200 and 5 at 200.
    assert.deepEqual([would.errors, would.spend, would.cost], [0, 60 * 200 + 5 * 200 + 1_000, 65 * 20 + 400]);
    assert.deepEqual(channels.find(({ name }) => name === "second")?.after, 65);
  });

  describe("of an alias", () => {
    const byModel = async (aliases: WhatIfInput["aliases"]) => {
      const answer = await ask({ aliases });
      const models = answer.models.map(({ model, before: b, after: a }) => [model, b.requests, a.requests] as const);
      return { ...answer, requests: Object.fromEntries(models.map(([model, was, would]) => [model, [was, would]])) };
    };
    before(async () => {
      const { user } = await testApp.logInAs("user", { group: "default" });
      await root.data(createChannel, {
        body: { type: 1, name: "third", key: "sk-1", models: "o3", group: "default" },
      });
      await setOptions(testApp, {
        ModelAliases: JSON.stringify({ fast: { [CHEAP]: 1, [DEAR]: 1 } }),
        ModelRatio: JSON.stringify({ [CHEAP]: 1, [DEAR]: 10, o3: 20 }),
        CompletionRatio: JSON.stringify({ [CHEAP]: 1, [DEAR]: 1, o3: 1 }),
      });
      const entry = (model_name: string, quota: number, more: object = {}) =>
        sampleLog({
          user_id: user.id,
          model_name,
          alias: "fast",
          channel_id: channelId["first"] ?? 0,
          created_at: Math.floor(testApp.deps.clock.nowMs() / 1_000) - 1_800,
          result: "ok",
          quota,
          cost: quota / 2,
          prompt_tokens: 50,
          completion_tokens: 50,
          is_stream: 1,
          first_byte_ms: 500,
          ...more,
        });
      await testApp.database.db
        .insertInto("logs")
        .values([
          ...Array.from({ length: 40 }, () => entry(CHEAP, 100)),
          ...Array.from({ length: 32 }, () => entry(DEAR, 1_000, { first_byte_ms: 3_000 })),
          ...Array.from({ length: 8 }, () => entry(DEAR, 0, { result: "timeout", first_byte_ms: 0 })),
        ])
        .execute();
    });

    test("moves its requests by weight, with the figures of its models", async () => {
      const { before: was, after: would, requests, users } = await byModel({ fast: { [CHEAP]: 3, [DEAR]: 1 } });
      // Of 20 requests that draw the dear model one in five fails, and the cheap one answers them.
      assert.deepEqual(requests, { [CHEAP]: [100, 124], [DEAR]: [41, 17] });
      assert.deepEqual([would.requests - was.requests, users], [0, 1]);
      assert.deepEqual(
        [would.spend - was.spend, would.cost - was.cost, would.errors - was.errors],
        [24 * 100 - 16 * 1_000, 24 * 50 - 16 * 500, -8],
      );
      assert.ok((would.first_byte_ms ?? 0) < (was.first_byte_ms ?? 0));
    });

    test("gives all to the first of a list, and nothing to a model of weight 0", async () => {
      for (const fast of [[CHEAP ?? "", DEAR ?? ""], { [CHEAP ?? ""]: 1, [DEAR ?? ""]: 0 }]) {
        const { requests } = await byModel({ fast });
        assert.deepEqual(requests, { [CHEAP]: [100, 140], [DEAR]: [41, 1] });
      }
    });

    test("has the price of a model that had not answered it, and its failed requests are those of the alias", async () => {
      const { before: was, after: would, requests, channels } = await byModel({ fast: ["o3"] });
      assert.deepEqual(requests, { [CHEAP]: [100, 60], [DEAR]: [41, 1], o3: [0, 80] });
      assert.equal(would.errors, was.errors);
      // 72 requests succeeded, each of 100 tokens at a ratio of 20.
      assert.equal(would.spend - was.spend, 72 * 2_000 - 40 * 100 - 32 * 1_000);
      assert.deepEqual(channels.find(({ name }) => name === "third")?.after, 80);
    });

    test("fails under its own name if no channel serves it, and an unknown one is refused by its field", async () => {
      const { after: would, before: was, requests } = await byModel({ fast: ["nowhere"] });
      assert.deepEqual(requests, { [CHEAP]: [100, 60], [DEAR]: [41, 1], fast: [0, 80] });
      assert.deepEqual([would.requests, would.errors], [was.requests, was.errors + 72]);
      const { status, envelope } = await root.send(foreseeChange, { body: { aliases: { slow: [CHEAP] } } });
      assert.deepEqual([status, envelope?.field], [400, "aliases.slow"]);
    });
  });

  test("is refused by the field, and for ordinary users", async () => {
    for (const [body, field] of [
      [{ days: 8 }, "days"],
      [{ group_ratios: { vip: -1 } }, "group_ratios.vip"],
      [{ model_prices: { [CHEAP]: [{ input: -1, output: 1 }] } }, `model_prices.${CHEAP}.0.input`],
    ] as const) {
      const { status, envelope } = await root.send(foreseeChange, { body });
      assert.deepEqual([status, envelope?.field], [400, field]);
    }
    const { client } = await testApp.logInAs("user");
    assert.equal((await client.send(foreseeChange, { body: {} })).status, 403);
  });
});
