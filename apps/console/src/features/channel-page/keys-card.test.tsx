import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, onTestFinished, test } from "vitest";
import { changeLanguage } from "../../lib/i18n/i18n.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import { sampleChannel } from "../channels/testing/sample-channel.ts";
import { KeysCard } from "./keys-card.tsx";

const key = {
  id: 1,
  end: "0001",
  status: 1,
  weight: 1,
  reason: "",
  disabled_at: 0,
  probe_time: 0,
  expires_at: 0,
  cooldown_until: 0,
  balance: 0,
  balance_updated_time: 0,
  balance_error: "",
  balance_error_time: 0,
};
const refused = {
  ...key,
  id: 2,
  end: "0002",
  status: 3,
  reason: "Incorrect API key provided.",
  code: "key-refused",
  disabled_at: 1_700_000_000,
};
const texts = ["channel-page", "channel-reasons", "channels", "common"] as const;

test("a channel shows its keys by their ends; each is disabled, weighed and removed", async () => {
  const keys = [key, refused];
  const sent = stubCalls({
    "GET /api/channel/7/keys": keys,
    "PUT /api/channel/7/keys/1": keys,
    "PUT /api/channel/7/keys/2": keys,
  });
  await renderPage(<KeysCard channel={sampleChannel()} />, { texts: [...texts] });
  const rows = within(await screen.findByRole("list", { name: "Keys" }));
  expect(rows.getByText("…0002").closest("li")?.textContent).toContain(
    "Disabled automaticallyThe provider rejected the key. Incorrect API key provided.",
  );
  await userEvent.click(rows.getByRole("button", { name: "Disable …0001" }));
  await userEvent.click(rows.getByRole("button", { name: "Enable …0002" }));
  const weight = rows.getByRole("textbox", { name: "Weight of …0001" });
  await userEvent.clear(weight);
  await userEvent.type(weight, "5");
  await userEvent.tab();
  expect(sent.filter(({ method }) => method === "PUT").map(({ address, body }) => [address, body])).toEqual([
    ["/api/channel/7/keys/1", { status: 2 }],
    ["/api/channel/7/keys/2", { status: 1 }],
    ["/api/channel/7/keys/1", { weight: 5 }],
  ]);
});

test("a key shows its balance and when it was checked, or why there is none; a press checks this key", async () => {
  const keys = [
    { ...key, balance: 12.5, balance_updated_time: 1_700_000_000 },
    {
      ...refused,
      balance: 3,
      balance_updated_time: 1_600_000_000,
      balance_error: "No.",
      balance_error_time: 1_700_000_000,
    },
    { ...key, id: 3, end: "0003" },
  ];
  const sent = stubCalls({ "GET /api/channel/7/keys": keys, "POST /api/channel/7/keys/2/balance": keys });
  await renderPage(<KeysCard channel={sampleChannel()} />, { texts: [...texts] });
  const rowOf = async (end: string) => (await screen.findByText(end)).closest("li") ?? document.body;
  expect((await rowOf("…0001")).textContent).toMatch(/\$12\.502023-11-1\d \d\d:\d\d:\d\d/);
  expect((await rowOf("…0002")).textContent).toMatch(
    /Balance check failed at 2023-11-1\d [\d:]+: No\. Last known balance: \$3\.00, at 2020-09-1\d/,
  );
  expect(within(await rowOf("…0003")).getByText("Check")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Check, refresh the balance of …0002" }));
  expect(await screen.findByText("Balance updated")).toBeTruthy();
  expect(sent.filter(({ method }) => method === "POST").map(({ address }) => address)).toEqual([
    "/api/channel/7/keys/2/balance",
  ]);
});

test("why a key was disabled is told in the reader's language, with the provider's words", async () => {
  const parts = { used: 3.01, limit: 3 };
  const spent = { ...refused, id: 3, end: "0003", code: "spending-limit", reason: "It spent $3.01.", parts };
  const { code: _, ...old } = { ...refused, id: 4, end: "0004", reason: "Told by an older version." };
  stubCalls({ "GET /api/channel/7/keys": [refused, spent, old] });
  await changeLanguage("zh-CN");
  onTestFinished(() => changeLanguage("en"));
  await renderPage(<KeysCard channel={sampleChannel()} />, { texts: [...texts] });
  const textOf = async (end: string) => (await screen.findByText(end)).closest("li")?.textContent;
  expect(await textOf("…0002")).toContain("提供商拒绝了密钥。 Incorrect API key provided.");
  expect(await textOf("…0003")).toMatch(/已消费 \$3\.01，上限为 \$3\.00。(?!.*It spent)/);
  expect(await textOf("…0004")).toContain("Told by an older version.");
});

test("a provider without balances has none for its keys", async () => {
  stubCalls({ "GET /api/channel/7/keys": [key, refused] });
  await renderPage(<KeysCard channel={sampleChannel({ type: 14 })} />, { texts: [...texts] });
  expect(await screen.findByText("…0001")).toBeTruthy();
  expect(screen.queryByText("Check")).toBeNull();
});

test("a channel of one key gets further ones, one per line", async () => {
  const sent = stubCalls({ "GET /api/channel/7/keys": [], "POST /api/channel/7/keys": [key, refused] });
  await renderPage(<KeysCard channel={sampleChannel()} />, { texts: [...texts] });
  await userEvent.click(await screen.findByRole("button", { name: "Add keys" }));
  await userEvent.type(await screen.findByRole("textbox", { name: "More keys" }), "sk-2\n\n sk-3");
  await userEvent.click(screen.getByRole("button", { name: "Add 2 keys" }));
  expect(sent.find(({ method }) => method === "POST")?.body).toEqual({ keys: ["sk-2", "sk-3"] });
});
