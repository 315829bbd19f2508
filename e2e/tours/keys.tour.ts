import { getChannel } from "@one-api/contract/channels/channel";
import { listChannelKeys } from "@one-api/contract/channels/channel-keys";
import { expect } from "@playwright/test";
import { STUB_MODEL } from "../gateway/set-up-stub-channel.ts";
import { tour } from "./stage.ts";

const KEYS = ["sk-first-1111", "sk-second-2222", "sk-third-3333"] as const;
const [FIRST, SECOND, THIRD] = KEYS;
/** What the stub reports for each key, in dollars. */
const BALANCE = 87.5;
const REFUSALS = 8;

/** A refused key is tried again after a minute. */
tour.use({ clockRate: 15 });

tour("a channel of three keys adds up their balances, and goes on without an empty one", async ({ stage }) => {
  const provider = await stage.provider();
  const [key, ...more_keys] = KEYS;
  const address = { models: STUB_MODEL, base_url: provider.at("openai") };
  const id = await stage.addChannel("North", { ...address, key, more_keys });
  await stage.setOption("AutomaticDisableChannelEnabled", "true");
  const token = await stage.addToken("app");
  const keyOf = ({ headers }: (typeof provider.requests)[number]) =>
    String(headers.authorization).replace("Bearer ", "");
  const show = async () => getChannel.data.parse(await stage.root.get(`/api/channel/${id}`));
  const statuses = async () =>
    listChannelKeys.data.parse(await stage.root.get(`/api/channel/${id}/keys`)).map(({ status }) => status);
  const ask = async (content: string, fields = {}) =>
    expect((await stage.ask(token, { model: STUB_MODEL, content, fields })).status).toBe(200);

  for (let asked = 0; asked < KEYS.length; asked += 1) await ask(`question ${asked}`);
  expect(new Set(provider.requests.map(keyOf))).toEqual(new Set(KEYS));
  provider.clearRequests();
  for (let turn = 0; turn < 4; turn += 1) await ask("again", { prompt_cache_key: "one conversation" });
  expect(new Set(provider.requests.map(keyOf)).size).toBe(1);

  provider.setBehaviour((request) =>
    keyOf(request) === THIRD && request.path.includes("billing")
      ? { kind: "refuse", status: 401, reason: "invalid-api-key" }
      : { kind: "normal" },
  );
  await stage.open(`/channel/${id}`);
  const balance = stage.page.getByRole("button", { name: "refresh the balance of North" });
  await balance.click();
  await expect(balance).toHaveText(`at least $${(2 * BALANCE).toFixed(2)}`);
  await expect(stage.page.getByText("Balance check failed at")).toBeVisible();
  expect((await show()).balance_updated_time).toBe(0);
  await stage.photograph("incomplete");

  provider.setBehaviour({ kind: "normal" });
  await stage.page.getByRole("button", { name: "refresh the balance of …3333" }).click();
  await expect(balance).toHaveText(`$${(3 * BALANCE).toFixed(2)}`);
  expect((await show()).balance).toBe(3 * BALANCE);

  await stage.setOption("ChannelBalanceRemindThreshold", "90");
  await stage.page.getByRole("button", { name: "refresh the balance of …2222" }).click();
  await stage.open("/log?type=4");
  await expect(stage.page.getByText("The balance of a key (…2222) of channel North").first()).toBeVisible();
  await stage.photograph("alert");

  provider.setBehaviour((request) =>
    keyOf(request) === FIRST ? { kind: "refuse", status: 429, reason: "insufficient-quota" } : { kind: "normal" },
  );
  await expect(async () => {
    await Promise.all(Array.from({ length: REFUSALS }, (_, asked) => ask(`question ${asked}`)));
    expect(await statuses()).toEqual([3, 1, 1]);
  }).toPass();
  provider.clearRequests();
  for (let asked = 0; asked < 4; asked += 1) await ask(`another question ${asked}`);
  expect(new Set(provider.requests.map(keyOf))).toEqual(new Set([SECOND, THIRD]));
  const left = await show();
  expect([left.status, left.balance]).toEqual([1, 2 * BALANCE]);
  await stage.open(`/channel/${id}`);
  await expect(balance).toHaveText(`$${(2 * BALANCE).toFixed(2)}`);
  await stage.photograph("empty");
});
