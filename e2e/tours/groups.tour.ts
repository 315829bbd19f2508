import { expect } from "@playwright/test";
import { tour } from "./stage.ts";

const MODEL = "gpt-4o-mini";
const FACTORS = { default: 1, vip: 3 };

tour("a token tries its groups in order, and the log says which one served", async ({ stage }) => {
  const [plain, best] = [await stage.provider(), await stage.provider()];
  await stage.addChannel("Plain", { models: MODEL, group: "default", base_url: plain.at("openai") });
  await stage.addChannel("Best", { models: MODEL, group: "vip", base_url: best.at("openai") });
  await stage.setOption("GroupRatio", FACTORS);
  await stage.root.send("PUT", "/api/user/", { id: 1, group: "default,vip" });
  const key = await stage.addToken("app", { group: "default,vip" });
  const servedOf = async () => {
    const { status, requestId } = await stage.ask(key, { model: MODEL });
    expect(status).toBe(200);
    const { detail, quota } = await stage.entryOf(requestId);
    return { group: detail?.group, factor: detail?.charge?.group_ratio, quota };
  };

  const cheap = await servedOf();
  expect(cheap).toMatchObject({ group: "default", factor: FACTORS.default });
  plain.setBehaviour({ kind: "refuse", status: 503 });
  const dear = await servedOf();
  expect(dear).toMatchObject({ group: "vip", factor: FACTORS.vip });
  expect(dear.quota).toBeGreaterThan(cheap.quota);

  await stage.open("/token/edit/1");
  await stage.photograph("token");
  await stage.open("/log");
  await stage.page.getByRole("row").nth(1).getByRole("button").first().click();
  await stage.page.getByRole("dialog").waitFor();
  await stage.photograph("entry");
});

const SLOW_MS = 2_500;

tour("the cheapest channel serves, unless its answers begin too late", async ({ stage }) => {
  const [cheap, dear] = [await stage.provider(), await stage.provider()];
  const costs = (factor: number) => JSON.stringify({ "*": { factor } });
  await stage.addChannel("Cheap", { models: MODEL, costs: costs(0.5), base_url: cheap.at("openai") });
  await stage.addChannel("Dear", { models: MODEL, costs: costs(0.9), base_url: dear.at("openai") });
  await stage.setOption("PoolMode", "cheapest");
  await stage.setOption("CheapestMaxLatency", "1");
  const key = await stage.addToken("app");
  const ask = async () => expect((await stage.ask(key, { model: MODEL, stream: true })).status).toBe(200);

  for (let asked = 0; asked < 5; asked += 1) await ask();
  expect(dear.requests).toHaveLength(0);
  cheap.setBehaviour({ kind: "normal", headersDelayMs: SLOW_MS });
  await expect(async () => {
    dear.clearRequests();
    await ask();
    expect(dear.requests).toHaveLength(1);
  }).toPass();

  await stage.open("/log");
  await stage.page.getByRole("row").nth(1).getByRole("button").first().click();
  await stage.page.getByRole("dialog").waitFor();
  await stage.photograph("cheapest");
});
