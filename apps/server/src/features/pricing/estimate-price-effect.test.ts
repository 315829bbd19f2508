import assert from "node:assert/strict";
import { test } from "node:test";
import { estimatePriceEffect, listComingPrices } from "@one-api/contract/prices/pricing";
import { createChannel } from "@one-api/contract/channels/channel";
import { sampleLog } from "@one-api/database/testing/sample-rows";
import { nowSeconds } from "../../platform/clock.ts";
import { createTestApp } from "../../testing/create-test-app.ts";
import { createTestClock } from "../../testing/test-clock.ts";
import { setOptions } from "../../testing/set-options.ts";

test("the last week's charges with other ratios are estimated by model, for administrators only", async () => {
  const app = await createTestApp();
  const admin = await app.logInAs("admin");
  const now = nowSeconds(app.clock);
  const DAY = 86_400;
  await setOptions(app, { ModelRatio: '{"own":2,"free":0}', CompletionRatio: '{"own":3}' });
  const row = (model_name: string, quota: number, daysAgo: number) => ({
    ...sampleLog({ user_id: admin.user.id }),
    type: 2,
    model_name,
    quota,
    prompt_tokens: 100,
    completion_tokens: 10,
    created_at: now - daysAgo * DAY - 60,
    request_id: `${model_name}-${daysAgo}`,
  });
  // 100 + 10 × 3 tokens of ratio 2, half of them cached; and one before the period.
  await app.database.db
    .insertInto("logs")
    .values([row("own", 130, 1), row("own", 130, 6), row("own", 130, 9), row("free", 0, 2), row("other", 900, 2)])
    .execute();
  const body = { model_ratios: { own: 4, free: 1 }, completion_ratios: { own: 0 } };
  const effect = await admin.client.data(estimatePriceEffect, { body });
  assert.deepEqual(effect, {
    before: 260,
    after: Math.round((260 * 800) / 520) + 110,
    models: [
      { model: "own", before: 260, after: 400 },
      { model: "free", before: 0, after: 110 },
    ],
    changed: 2,
  });
  const user = await app.logInAs("user");
  assert.equal((await user.client.send(estimatePriceEffect, { body })).status, 403);
  assert.equal(
    (await admin.client.send(estimatePriceEffect, { body: { ...body, model_ratios: { own: -1 } } })).status,
    400,
  );
  await app.close();
});

test("prices that begin later are listed with their effect on the last week, those that charge nothing else left out", async () => {
  const app = await createTestApp();
  const admin = await app.logInAs("admin");
  const now = nowSeconds(app.clock);
  const from = (days: number) => new Date((now + days * 86_400) * 1_000).toISOString();
  const prices = {
    later: [
      { input: 2, output: 2 },
      { from: from(1), input: 4, output: 8 },
      { from: from(2), input: 4, output: 8 },
      { from: from(-1), input: 1, output: 1 },
    ],
    "call(3)": { from: from(3), per_request: 0.02 },
  };
  await setOptions(app, { ModelPrices: JSON.stringify(prices), ModelRatio: '{"call":1}' });
  const row = (model_name: string, quota: number) => ({
    ...sampleLog({ user_id: admin.user.id }),
    type: 2,
    model_name,
    quota,
    prompt_tokens: 100,
    completion_tokens: 10,
    created_at: now - 60,
    request_id: model_name,
  });
  await app.database.db
    .insertInto("logs")
    .values([row("later", 55), row("call", 110)])
    .execute();
  const coming = await admin.client.data(listComingPrices);
  assert.deepEqual(coming, [
    {
      model: "later",
      at: now + 86_400,
      source: "option",
      before: { unit: "token", input: 1, output: 1 },
      after: { unit: "token", input: 4, output: 8 },
      effect: { before: 55, after: 240 },
    },
    {
      model: "call",
      at: now + 3 * 86_400,
      source: "option",
      before: { unit: "token", input: 2, output: 2 },
      after: { unit: "request", input: 0.02, output: 0.02 },
      effect: { before: 110, after: 10_000 },
    },
  ]);
  const user = await app.logInAs("user");
  assert.equal((await user.client.send(listComingPrices)).status, 403);
  const body = { model_ratios: {}, completion_ratios: {}, model_prices: { call: [{ per_request: 0.001 }] } };
  const { models } = await admin.client.data(estimatePriceEffect, { body });
  assert.deepEqual(
    models.find(({ model }) => model === "call"),
    { model: "call", before: 110, after: 500 },
  );
  const wrong = { ...body, model_prices: { call: [{ per_request: -1 }] } };
  assert.equal((await admin.client.send(estimatePriceEffect, { body: wrong })).status, 400);
  await app.close();
});

test("a price that a vendor has announced is listed for a model that a channel serves", async () => {
  const clock = createTestClock(Date.parse("2026-11-30T12:00:00Z"));
  const app = await createTestApp({ clock });
  const { client } = await app.logInAs("root");
  const channel = { type: 24, name: "gemini", key: "key", models: "gemini-4-argon" };
  await client.data(createChannel, { body: channel });
  const coming = await client.data(listComingPrices);
  assert.deepEqual(
    coming.map(({ model, at, source, before, after }) => [model, at, source, before.input, after.input]),
    [["gemini-4-argon", Date.parse("2026-12-01T00:00:00Z") / 1_000, "list", 2, 4]],
  );
  await app.close();
});
