import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { getAvailability } from "@one-api/contract/usage/availability";
import { getStatus } from "@one-api/contract/status";
import { nowSeconds } from "../../platform/clock.ts";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import { setOptions } from "../../testing/set-options.ts";

const DAY = 86_400;
let app: TestApp;
let now = 0;
before(async () => {
  app = await createTestApp();
  now = nowSeconds(app.clock);
  await addChannel("OpenAI, the secret one", "gpt-4o,never-called", "default,vip");
  await addChannel("for some", "internal", "vip");
});
after(() => app.close());

async function addChannel(name: string, models: string, group: string) {
  const texts = { base_url: "", other: "", model_mapping: "", system_prompt: "", organization: "" };
  const rest = { soft_limit_usd: 0, calc_prompt: 1 as const, config: "", config_cipher: "", priority: 0, weight: 0 };
  await app.database.db
    .insertInto("channels")
    .values({ name, models, group, type: 1, status: 3, key_cipher: "x", created_time: 0, ...texts, ...rest })
    .execute();
}

async function log(model: string, result: string, daysAgo: number, times: number) {
  const row = {
    user_id: 1,
    created_at: now - daysAgo * DAY - 60,
    type: 2,
    content: "",
    username: "u",
    token_name: "t",
    model_name: model,
    quota: 1,
    prompt_tokens: 1,
    completion_tokens: 1,
    channel_id: 1,
    elapsed_time: 5,
    is_stream: 1 as const,
    detail: "",
    result,
    first_byte_ms: 200,
  };
  const rows = Array.from({ length: times }, (_, index) => ({
    ...row,
    request_id: `${model}-${result}-${daysAgo}-${index}`,
  }));
  await app.database.db.insertInto("logs").values(rows).execute();
}

test("is off until root turns it on, as the public status shows", async () => {
  const visitor = app.client();
  assert.equal((await visitor.send(getAvailability)).envelope?.code, "status-page-off");
  assert.equal((await visitor.data(getStatus)).status_page_enabled, false);
  await setOptions(app, { StatusPageEnabled: "true" });
  assert.equal((await visitor.data(getStatus)).status_page_enabled, true);
});

test("shows the public group's models, without channels and invented names", async () => {
  await log("gpt-4o", "ok", 0, 3);
  await log("gpt-4o", "timeout", 0, 1);
  await log("gpt-4o", "ok", 5, 4);
  await log("gpt-4o", "provider-failed", 20, 2);
  await log("internal", "ok", 0, 1);
  await log("<b>made up</b>", "refused", 0, 5);
  const { at, models } = await app.client().data(getAvailability);
  assert.equal(at, now);
  assert.deepEqual(
    models.map(({ model, day, week, month }) => [model, day, week.availability, month.availability]),
    [
      [
        "gpt-4o",
        { availability: 0.75, state: "few", first_byte_p50_ms: 197, first_byte_p95_ms: 203, first_byte_p99_ms: 203 },
        7 / 8,
        0.7,
      ],
    ],
  );
  const days = models[0]?.days ?? [];
  assert.equal(days.length, 30);
  assert.deepEqual(
    days.filter((part) => part !== null),
    [0, 1, 0.75],
  );
  const states = models[0]?.day_states ?? [];
  assert.deepEqual(
    states.filter((state) => state !== "unused"),
    ["few", "works", "few"],
  );
});

test("queries the log once a minute for any number of clients", async () => {
  await log("gpt-4o", "cut", 0, 4);
  const visitor = app.client();
  const seen = async () => (await visitor.data(getAvailability)).models[0]?.day.availability;
  assert.equal(await seen(), 0.75);
  app.clock.advanceSeconds(61);
  assert.equal(await seen(), 3 / 8);
});

test("shows a failing model after enough requests", async () => {
  await log("gpt-4o", "provider-failed", 0, 12);
  app.clock.advanceSeconds(61);
  const { models } = await app.client().data(getAvailability);
  assert.deepEqual(
    [models[0]?.day.availability, models[0]?.day.state, models[0]?.day_states.at(-1)],
    [0.15, "fails", "fails"],
  );
});
