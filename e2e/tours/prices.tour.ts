import { expect } from "@playwright/test";
import { tour } from "./stage.ts";

const MODEL = "gpt-4o-mini";
/** Dollars per million tokens, today and from tomorrow on. */
const TODAY = 4;
const TOMORROW = 6;
const QUOTA_PER_MILLION = 0.5;
const DAY_SECONDS = 86_400;
const UNPRICED = "in-no-price-list";

tour("a price of tomorrow is in the calendar, and takes effect at its time", async ({ stage }) => {
  const provider = await stage.provider();
  await stage.addChannel("North", { models: MODEL, base_url: provider.at("openai") });
  const startsAt = (await stage.now()) + DAY_SECONDS - 30;
  const from = new Date(startsAt * 1_000).toISOString();
  const of = (dollars: number) => ({ input: dollars, output: dollars });
  const today = { ...of(TODAY), tiers: { flex: 0.5 } };
  await stage.setOption("ModelPrices", { [MODEL]: [today, { from, ...of(TOMORROW) }] });
  const key = await stage.addToken("app");
  const dollarsOfRequest = async () => {
    const { status, requestId } = await stage.ask(key, { model: MODEL });
    expect(status).toBe(200);
    const { quota, prompt_tokens, completion_tokens } = await stage.entryOf(requestId);
    return quota / (prompt_tokens + completion_tokens) / QUOTA_PER_MILLION;
  };

  expect(await dollarsOfRequest()).toBe(TODAY);
  await stage.open("/setting/ratios");
  await expect(stage.page.getByText(MODEL).first()).toBeVisible();
  await stage.photograph("calendar");

  await stage.page.getByRole("button", { name: /^All prices/ }).click();
  await expect(stage.page.getByRole("dialog").getByLabel("flex").first()).toHaveValue("0.5");
  await stage.photograph("dialog");

  await stage.skipDay();
  expect(await stage.now()).toBeGreaterThanOrEqual(startsAt);
  expect(await dollarsOfRequest()).toBe(TOMORROW);
  await stage.open("/log");
  await expect(stage.page.getByRole("row")).toHaveCount(3);
  await stage.photograph("charges");
});

tour("a model without a price costs the fallback, which its entry says, or is refused", async ({ stage }) => {
  const provider = await stage.provider();
  await stage.addChannel("North", { models: UNPRICED, base_url: provider.at("openai") });
  const key = await stage.addToken("app");
  const charged = await stage.ask(key, { model: UNPRICED });
  expect(charged.status).toBe(200);
  expect((await stage.entryOf(charged.requestId)).detail?.charge?.formula_parts.source).toBe("fallback");

  await stage.setOption("UnpricedModels", "refuse");
  const refused = await stage.ask(key, { model: UNPRICED });
  expect(refused.status).toBe(403);
  expect(refused.text).toContain("model_without_price");
  await stage.open("/log");
  await stage.page.getByRole("row").nth(2).getByRole("button").first().click();
  await stage.page.getByRole("dialog").waitFor();
  await stage.photograph("fallback");
});
