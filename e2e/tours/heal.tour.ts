import { setTimeout as wait } from "node:timers/promises";
import { channelDecisionSchema } from "@one-api/contract/channels/channel-decision";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { expect } from "@playwright/test";
import { z } from "zod";
import { tour } from "./stage.ts";

/** Ten minutes last 40 s. */
const RATE = 15;
const OUTAGE_SECONDS = 600;
const MOST_LOST_PROBES = 3;
/** Failures that open the circuit. */
const FAILURES_TO_OPEN = 5;
const PAUSE_MS = 50;
const MODEL = "gpt-4o-mini";

tour.use({ clockRate: RATE });

tour("a channel that fails for ten minutes comes back by itself", async ({ stage }) => {
  const [failing, other] = [await stage.provider(), await stage.provider()];
  const address = { models: MODEL };
  const north = await stage.addChannel("North", { ...address, base_url: failing.at("openai"), priority: 10 });
  await stage.addChannel("South", { ...address, base_url: other.at("openai") });
  const key = await stage.addToken("app");
  const ask = async () => expect((await stage.ask(key, { model: MODEL })).status).toBe(200);

  const decisions = async () => {
    const listed = await stage.root.get(`/api/channel/${north}/decisions`);
    return z
      .array(channelDecisionSchema)
      .parse(listed)
      .map(({ kind }) => kind);
  };

  await ask();
  expect(other.requests).toHaveLength(0);

  failing.setBehaviour({ kind: "refuse", status: 503 });
  failing.clearRequests();
  const endsAt = (await stage.now()) + OUTAGE_SECONDS;
  // The failures that open its circuit are those of one busy moment.
  await Promise.all(Array.from({ length: FAILURES_TO_OPEN }, ask));
  expect(await decisions()).toContain("rested");
  failing.clearRequests();
  const askUntil = async (isOver: () => Promise<boolean>) => {
    while (!(await isOver())) {
      await ask();
      await wait(PAUSE_MS);
    }
  };
  // After the second probe the channel is left alone for four minutes.
  await askUntil(() => Promise.resolve(failing.requests.length >= 2));
  await stage.open(`/channel/${north}`);
  await expect(stage.page.getByText("Failing", { exact: true })).toBeVisible();
  await stage.photograph("failing");
  await askUntil(async () => (await stage.now()) >= endsAt);
  const lost = failing.requests.length;
  expect(lost).toBeGreaterThan(0);
  expect(lost).toBeLessThanOrEqual(MOST_LOST_PROBES);

  failing.setBehaviour({ kind: "normal" });
  failing.clearRequests();
  other.clearRequests();
  const answered = () => failing.requests.filter(({ status }) => status === 200).length;
  while (answered() === 0) await ask();
  // All requests go to the preferred channel again, after a while with a tenth of them.
  await expect(async () => {
    other.clearRequests();
    for (let asked = 0; asked < 10; asked += 1) await ask();
    expect(other.requests).toHaveLength(0);
  }).toPass();
  await stage.open(`/channel/${north}`);
  await stage.photograph("recovered");
  await stage.open("/channel");
  await stage.photograph("channels");
});

tour(
  "a channel that the gateway disabled is probed and enabled, and the log shows the probes' cost",
  async ({ stage }) => {
    const provider = await stage.provider();
    const north = await stage.addChannel("North", { models: MODEL, base_url: provider.at("openai") });
    await stage.setOption("AutomaticDisableChannelEnabled", "true");
    await stage.setOption("AutomaticEnableChannelEnabled", "true");
    const key = await stage.addToken("app");
    const channel = async () =>
      z.object({ status: z.number(), probe_time: z.number() }).parse(await stage.root.get(`/api/channel/${north}`));

    provider.setBehaviour({ kind: "refuse", status: 401, reason: "invalid-api-key" });
    for (let asked = 0; asked < 2; asked += 1) await stage.ask(key, { model: MODEL });
    await expect.poll(async () => (await channel()).status).toBe(CHANNEL_STATUS.autoDisabled);
    await expect.poll(async () => (await channel()).probe_time).toBeGreaterThan(0);
    await stage.open(`/channel/${north}`);
    await stage.photograph("disabled");

    provider.setBehaviour({ kind: "normal" });
    await expect.poll(async () => (await channel()).status, { timeout: 60_000 }).toBe(CHANNEL_STATUS.enabled);
    expect((await stage.ask(key, { model: MODEL })).status).toBe(200);
    await stage.open("/log?type=5");
    await stage.page.getByRole("row").nth(1).getByRole("button").first().click();
    await expect(stage.page.getByRole("dialog").getByText("Cost at the provider")).toBeVisible();
    await stage.photograph("probes");
  },
);
