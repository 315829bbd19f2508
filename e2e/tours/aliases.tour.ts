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
