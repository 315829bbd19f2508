import assert from "node:assert/strict";
import { test } from "node:test";
import { estimatePriceEffect } from "@one-api/contract/prices/pricing";
import { sampleLog } from "@one-api/database/testing/sample-rows";
import { nowSeconds } from "../../platform/clock.ts";
import { createTestApp } from "../../testing/create-test-app.ts";
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
