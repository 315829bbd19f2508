import { expect } from "@playwright/test";
import { askStub, STUB_MODEL } from "../gateway/set-up-stub-channel.ts";
import { tour } from "./stage.ts";

const BILLED_TIER = "priority";

tour("a channel changes its requests, and one of its keys fails without a failed request", async ({ stage }) => {
  const provider = await stage.provider();
  const channel = await stage.addChannel("North", {
    models: STUB_MODEL,
    base_url: provider.at("openai"),
    key: "sk-first-1111",
    more_keys: ["sk-second-2222"],
    first_token_seconds: 20,
    dialect_urls: JSON.stringify({ anthropic: provider.at("anthropic") }),
    overrides: JSON.stringify({
      headers: { set: { "x-team": "search" } },
      body: { set: { service_tier: BILLED_TIER }, default: { temperature: 0.2 }, remove: ["top_p"] },
    }),
  });
  await stage.setOption("AutomaticDisableChannelEnabled", "true");
  const key = await stage.addToken("app");

  const answer = await stage.ask(key, { model: STUB_MODEL, fields: { top_p: 0.5, service_tier: "flex" } });
  expect(answer.status).toBe(200);
  const [sent] = provider.requests;
  expect(sent?.headers["x-team"]).toBe("search");
  expect(sent?.body).toMatchObject({ service_tier: BILLED_TIER, temperature: 0.2 });
  expect(sent?.body).not.toHaveProperty("top_p");

  // Anthropic's dialect has an address of its own, and passes unchanged.
  provider.clearRequests();
  const message = await askStub(stage.gateway.url, key, { stream: false, api: "anthropic" });
  expect(message.status).toBe(200);
  expect(provider.requests.map(({ vendor }) => vendor)).toEqual(["anthropic"]);

  provider.setBehaviour(({ headers }) =>
    headers.authorization === "Bearer sk-first-1111"
      ? { kind: "refuse", status: 401, reason: "invalid-api-key" }
      : { kind: "normal" },
  );
  for (let asked = 0; asked < 8; asked += 1)
    expect((await stage.ask(key, { model: STUB_MODEL, content: `question ${asked}` })).status).toBe(200);

  await stage.open(`/channel/${channel}`);
  await expect(stage.page.getByText("Keys", { exact: true }).first()).toBeVisible();
  await stage.photograph("keys");
  await stage.open(`/channel/edit/${channel}`);
  await stage.page.getByText("x-team").first().waitFor();
  await stage.photograph("overrides");
});
