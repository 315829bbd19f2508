import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { startIdleLoading } from "../../../lib/loading/when-idle.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { stubCalls } from "../../../testing/stub-calls.ts";
import ChannelListPage from "../channel-list-page.tsx";
import { sampleChannel } from "../testing/sample-channel.ts";

const LIST = "GET /api/channel/";
const TRAFFIC = "GET /api/channel/traffic";
const day = (id: number, more: object = {}) => ({
  id,
  requests: 1_840,
  errors: 298,
  quota: 1_355_000,
  cost: 3_125_000,
  first_byte_p50_ms: 380,
  hours: [4, 9, 2],
  ...more,
});
const rows = [
  sampleChannel({ balance_updated_time: 1_700_000_000 }),
  sampleChannel({ id: 8, name: "Other", type: 14, status: 3 }),
];
const render = (address = "/channel") => renderPage(<ChannelListPage />, { address, texts: ["channels", "views"] });
const rowOf = async (name: string) =>
  within((await screen.findByRole("link", { name })).closest("tr") ?? document.body);

beforeEach(() => startIdleLoading(() => false));

test("a row has the requests, errors, spend and first token of 24 hours, in one call for all rows", async () => {
  const sent = stubCalls({ [LIST]: rows, [TRAFFIC]: { to: 1_700_000_000, channels: [day(7)] } });
  await render();
  const row = await rowOf("Main");
  expect(await row.findByText("1,840")).toBeTruthy();
  expect(row.getByRole("img", { name: "Requests to Main by the hour, last 24 hours" })).toBeTruthy();
  expect(row.getByText("16.20%").closest("a")?.getAttribute("href")).toContain("result=errors");
  expect(row.getByText("$2.71")).toBeTruthy();
  expect(row.getByText("0.38 s")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Show details" }));
  expect(await row.findByText("2 days left")).toBeTruthy();
  expect(sent.filter(({ address }) => address === "/api/channel/traffic")).toHaveLength(1);
});

test("a balance that lacks one of the keys lasts for no known time", async () => {
  const keys = { total: 2, enabled: 2, refused: 0, known_balances: 1, unknown_balances: 1, known_balance: 12.5 };
  stubCalls({
    [LIST]: [sampleChannel({ balance: 0, keys })],
    [TRAFFIC]: { to: 1_700_000_000, channels: [day(7)] },
  });
  await render();
  await userEvent.click(screen.getByRole("button", { name: "Show details" }));
  const row = await rowOf("Main");
  expect(await row.findByText("at least $12.50")).toBeTruthy();
  expect(await row.findByText("1,840")).toBeTruthy();
  expect(row.queryByText(/left/)).toBeNull();
});

test("trouble comes first unless the newest are wanted, and groups have a row with their sums", async () => {
  const sent = stubCalls({
    [LIST]: rows,
    "GET /api/channel/groups": [
      { name: "1", channels: 4, auto_disabled: 0, requests: 31_077, errors: 193, quota: 5 },
      { name: "14", channels: 2, auto_disabled: 1, requests: 0, errors: 0, quota: 0 },
    ],
  });
  await render();
  await waitFor(() => expect(sent.some(({ address }) => address.includes("order=trouble&direction=desc"))).toBe(true));
  await userEvent.click(await screen.findByRole("button", { name: "Trouble first" }));
  await userEvent.click(await screen.findByRole("menuitemcheckbox", { name: "Newest first" }));
  await waitFor(() => expect(sent.some(({ address }) => address.includes("order=id&direction=desc"))).toBe(true));
  await userEvent.click(await screen.findByRole("menuitemcheckbox", { name: "Trouble first" }));
  await userEvent.click(await screen.findByRole("menuitemcheckbox", { name: "By provider" }));
  const group = within((await screen.findByRole("rowheader", { name: /Claude/ })).closest("tr") ?? document.body);
  expect(group.getByText("1 disabled automatically")).toBeTruthy();
  expect((await screen.findByRole("rowheader", { name: /OpenAI/ })).closest("tr")?.textContent).toContain("31,077");
  await waitFor(() => expect(sent.some(({ address }) => /order=trouble.*grouped_by=type/.test(address))).toBe(true));
});

test("disabling asks with the counted effect where users would lose models", async () => {
  const effect = { lost: 2, models: [{ model: "o3", groups: ["vip"], is_partly: true }], users: 41 };
  const sent = stubCalls({
    [LIST]: rows,
    "GET /api/channel/effect": effect,
    "PUT /api/channel/": sampleChannel({ status: 2 }),
  });
  await render();
  await userEvent.click((await rowOf("Main")).getByRole("button", { name: "Disable Main" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Disable channel Main?" }));
  expect(
    await dialog.findByText("2 models have no other channel; used by 41 users in the last 24 hours."),
  ).toBeTruthy();
  expect(dialog.getByText("o3 (for vip) and 1 more")).toBeTruthy();
  expect(sent.filter(({ method }) => method !== "GET")).toEqual([]);
  await userEvent.click(dialog.getByRole("button", { name: "Disable" }));
  expect(await screen.findByText("Main disabled")).toBeTruthy();
});
