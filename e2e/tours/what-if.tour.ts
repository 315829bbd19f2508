import { whatIfInputSchema } from "@one-api/contract/usage/what-if";
import { expect } from "@playwright/test";
import { z } from "zod";
import { tour } from "./stage.ts";

const MODEL = "gpt-4o-mini";
const REQUESTS = 20;

const foreseenSchema = z.object({
  before: z.object({ requests: z.number(), spend: z.number() }),
  after: z.object({ requests: z.number(), spend: z.number() }),
  users: z.number(),
});

tour("a dearer price is tried on real requests before it is set", async ({ stage }) => {
  const provider = await stage.provider();
  await stage.addChannel("North", { models: MODEL, base_url: provider.at("openai") });
  await stage.setOption("ModelPrices", { [MODEL]: { input: 400, output: 400 } });
  const key = await stage.addToken("app");
  for (let asked = 0; asked < REQUESTS; asked += 1) expect((await stage.ask(key, { model: MODEL })).status).toBe(200);

  const change = whatIfInputSchema.parse({ days: 7, model_prices: { [MODEL]: [{ input: 800, output: 800 }] } });
  const foresee = async () => foreseenSchema.parse(await stage.root.send("POST", "/api/what-if", change));
  await expect.poll(async () => (await foresee()).before.requests).toBe(REQUESTS);
  const { before, after, users } = await foresee();
  expect({ requests: after.requests, spend: after.spend, users }).toEqual({
    requests: REQUESTS,
    spend: before.spend * 2,
    users: 1,
  });

  const { page } = stage;
  await stage.open("/what-if");
  await page.getByRole("button", { name: "Add price" }).click();
  await page.getByRole("combobox", { name: "Model" }).fill(MODEL);
  await page.keyboard.press("Escape");
  await page.getByLabel("Input", { exact: true }).fill("800");
  await page.getByLabel("Output", { exact: true }).fill("800");
  await page.getByRole("button", { name: "Estimate" }).click();
  await expect(page.getByRole("region", { name: "Estimate", exact: true })).toContainText(MODEL);
  await stage.photograph("estimate");
});
