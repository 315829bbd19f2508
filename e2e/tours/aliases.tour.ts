import { compareAlias } from "@one-api/contract/usage/dashboard";
import { expect } from "@playwright/test";
import { tour } from "./stage.ts";

const MODELS = ["gpt-4o-mini", "gpt-4.1"] as const;
/** Dollars per million tokens of each model, for prompts and answers. */
const DOLLARS = { "gpt-4o-mini": 1, "gpt-4.1": 4 } as const;
const QUOTA_PER_MILLION = 0.5;

tour("an alias survives the outage of its first model, at the price of the second", async ({ stage }) => {
  const [first, second] = [await stage.provider(), await stage.provider()];
  await stage.addChannel("Mini", { models: MODELS[0], base_url: first.at("openai") });
  await stage.addChannel("Large", { models: MODELS[1], base_url: second.at("openai") });
  await stage.setOption("ModelAliases", { fast: [...MODELS] });
  const prices = Object.entries(DOLLARS).map(([model, dollars]) => [model, { input: dollars, output: dollars }]);
  await stage.setOption("ModelPrices", Object.fromEntries(prices));
  const key = await stage.addToken("app");
  const chargeOf = async (requestId: string) => {
    const entry = await stage.entryOf(requestId);
    const tokens = entry.prompt_tokens + entry.completion_tokens;
    return { model: entry.model_name, dollars: entry.quota / tokens / QUOTA_PER_MILLION };
  };

  const before = await stage.ask(key, { model: "fast" });
  expect(before.status).toBe(200);
  expect(await chargeOf(before.requestId)).toEqual({ model: MODELS[0], dollars: DOLLARS[MODELS[0]] });

  first.setBehaviour({ kind: "refuse", status: 503 });
  const during = await stage.ask(key, { model: "fast" });
  expect(during).toMatchObject({ status: 200, servedModel: MODELS[1] });
  expect(await chargeOf(during.requestId)).toEqual({ model: MODELS[1], dollars: DOLLARS[MODELS[1]] });

  // A request may name its fallbacks itself.
  const named = await stage.ask(key, { model: MODELS[0], fields: { models: [MODELS[1]] } });
  expect(named).toMatchObject({ status: 200, servedModel: MODELS[1] });

  await stage.open(`/log?request=${during.requestId}`);
  await stage.page.getByRole("row").nth(2).getByRole("button").first().click();
  await stage.page.getByRole("dialog").waitFor();
  await stage.photograph("entry");
  await stage.open("/setting?tab=operation&section=aliases");
  await stage.photograph("aliases");
});

const REQUESTS = 24;
const HALF_HOUR = 1_800;

tour("an experiment gives a part of an alias to another model, and the dashboard compares both", async ({ stage }) => {
  const provider = await stage.provider();
  await stage.addChannel("North", { models: MODELS.join(","), base_url: provider.at("openai") });
  await stage.setOption("ModelAliases", { fast: { [MODELS[0]]: 50, [MODELS[1]]: 50 } });
  const key = await stage.addToken("app");
  const ask = () => stage.ask(key, { model: "fast", stream: true });
  const answers = await Promise.all(Array.from({ length: REQUESTS }, ask));
  for (const { status, requestId } of answers) {
    expect(status).toBe(200);
    await stage.entryOf(requestId);
  }
  const halfHour = Math.floor((await stage.now()) / HALF_HOUR) * HALF_HOUR;
  const period = `start=${halfHour - HALF_HOUR}&end=${halfHour + 2 * HALF_HOUR}`;
  const compared = async () =>
    compareAlias.data.parse(await stage.root.get(`/api/dashboard/alias?alias=fast&${period}`)).models;
  await expect.poll(async () => (await compared()).reduce((sum, { usage }) => sum + usage.requests, 0)).toBe(REQUESTS);
  expect((await compared()).map(({ model, weight }) => [model, weight])).toEqual(MODELS.map((model) => [model, 0.5]));
  await stage.open("/dashboard?alias=fast");
  await expect(stage.page.getByText(MODELS[1]).first()).toBeVisible();
  await stage.photograph("experiment");
});
