import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { formatTime } from "../../lib/format.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { setScreenWidth } from "../../testing/screen-width.ts";
import { stubCalls } from "../../testing/stub-calls.ts";
import ChannelListPage from "./channel-list-page.tsx";
import { sampleChannel } from "./testing/sample-channel.ts";

const LIST = "GET /api/channel/";
const PROGRESS = "GET /api/channel/test/progress";
const render = () => renderPage(<ChannelListPage />, { address: "/channel", texts: ["channels", "views"] });
const row = async () => {
  const link = await screen.findByRole("link", { name: "Main" });
  const found = link.closest("tr");
  if (found === null) throw new Error("the channel has no row");
  return within(found);
};
const changing = (sent: ReturnType<typeof stubCalls>) => sent.filter((call) => call.method !== "GET");

test("[CHSTATE-09] disabling sends id and status; the row shows the answer's state", async () => {
  const sent = stubCalls({ [LIST]: [sampleChannel()], "PUT /api/channel/": sampleChannel({ status: 2 }) });
  await render();
  await userEvent.click((await row()).getByRole("button", { name: "Disable Main" }));
  expect(await (await row()).findByText("Manually disabled")).toBeTruthy();
  expect(changing(sent)).toEqual([{ method: "PUT", address: "/api/channel/", body: { id: 7, status: 2 } }]);
});

test("what was disabled is named, and can be taken back", async () => {
  const sent = stubCalls({ [LIST]: [sampleChannel()], "PUT /api/channel/": sampleChannel({ status: 2 }) });
  await render();
  await userEvent.click((await row()).getByRole("button", { name: "Disable Main" }));
  const toast = (await screen.findByText("Main disabled")).closest("[data-kind]");
  if (!(toast instanceof HTMLElement)) throw new Error("the text stands in no toast");
  await userEvent.click(within(toast).getByRole("button", { name: "Undo" }));
  await waitFor(() =>
    expect(changing(sent).map((call) => call.body)).toEqual([
      { id: 7, status: 2 },
      { id: 7, status: 1 },
    ]),
  );
});

test("what stood against a channel goes from its row as soon as the server says it no more", async () => {
  const hint = { code: "key-refused", message: "No such key.", at: 1_790_000_000 } as const;
  const before = sampleChannel({ status: 2, status_hint: hint });
  stubCalls({ [LIST]: [before], "PUT /api/channel/": sampleChannel() });
  await render();
  expect(await screen.findByRole("button", { name: "Key rejected" })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Enable Main" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Key rejected" })).toBeNull());
});

test("[CHSTATE-08] enabling sends status 1", async () => {
  const sent = stubCalls({ [LIST]: [sampleChannel({ status: 3 })], "PUT /api/channel/": sampleChannel() });
  await render();
  await userEvent.click((await row()).getByRole("button", { name: "Enable Main" }));
  expect(await (await row()).findByText("Enabled")).toBeTruthy();
  expect(changing(sent)).toEqual([{ method: "PUT", address: "/api/channel/", body: { id: 7, status: 1 } }]);
});

test("[CHLIST-21] [CHLIST-22] a channel is deleted after a question, and its row vanishes", async () => {
  const answers: Record<string, unknown> = { [LIST]: [sampleChannel(), sampleChannel({ id: 8, name: "Other" })] };
  const sent = stubCalls(answers);
  await render();
  await userEvent.click((await row()).getByRole("button", { name: "More actions for Main" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Delete" }));
  expect(changing(sent)).toEqual([]);
  answers[LIST] = [sampleChannel({ id: 8, name: "Other" })];
  await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(screen.queryByRole("link", { name: "Main" })).toBeNull());
  expect(changing(sent)).toMatchObject([{ method: "DELETE", address: "/api/channel/7/" }]);
});

test("a saved priority is named and can be taken back, however late the server answers", async () => {
  const sent = stubCalls({ [LIST]: [sampleChannel()], "PUT /api/channel/": sampleChannel({ priority: 12 }) });
  const answer = Promise.withResolvers<void>();
  const send = window.fetch;
  vi.stubGlobal("fetch", async (address: string, init: RequestInit = {}) => {
    if (init.method === "PUT") await answer.promise;
    return send(address, init);
  });
  await render();
  const field = (await row()).getByRole("textbox", { name: "Priority of Main" });
  await userEvent.clear(field);
  await userEvent.type(field, "12");
  await userEvent.tab();
  // The row shows the number before the server has answered.
  await waitFor(() => expect(field.isConnected).toBe(false));
  answer.resolve();
  const toast = (await screen.findByText("Main: priority 12")).closest("[data-kind]");
  if (!(toast instanceof HTMLElement)) throw new Error("the text stands in no toast");
  await userEvent.click(within(toast).getByRole("button", { name: "Undo" }));
  await waitFor(() =>
    expect(changing(sent).map((call) => call.body)).toEqual([
      { id: 7, priority: 12 },
      { id: 7, priority: 3 },
    ]),
  );
});

test("[CHLIST-26] [CHLIST-27] the priority is saved when its field is left; an empty one is ignored", async () => {
  const sent = stubCalls({ [LIST]: [sampleChannel()], "PUT /api/channel/": sampleChannel({ priority: 12 }) });
  await render();
  const field = (await row()).getByRole("textbox", { name: "Priority of Main" });
  await userEvent.clear(field);
  await userEvent.tab();
  expect(field).toHaveProperty("value", "3");
  expect(changing(sent)).toEqual([]);
  await userEvent.clear(field);
  await userEvent.type(field, "12");
  await userEvent.tab();
  await waitFor(() =>
    expect(changing(sent)).toEqual([{ method: "PUT", address: "/api/channel/", body: { id: 7, priority: 12 } }]),
  );
  expect(await screen.findByText("Main: priority 12")).toBeTruthy();
});

test("[CHLIST-10..13] details show balance and test model, and are remembered", async () => {
  stubCalls({ [LIST]: [sampleChannel({ balance_updated_time: 1_700_000_000 })] });
  const view = await render();
  await row();
  expect(screen.queryByText("Balance")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Show details" }));
  expect(screen.getByText("Balance")).toBeTruthy();
  expect(screen.getByText("$12.50")).toBeTruthy();
  expect(screen.getByRole("combobox", { name: "Test model of Main" })).toBeTruthy();
  expect(localStorage.getItem("channel_details")).toBe("true");
  view.unmount();
  await render();
  expect(await screen.findByText("$12.50")).toBeTruthy();
});

test("[CHLIST-29] [TEXT-48] [ENT-044] the row's test asks the chosen model and says model and seconds", async () => {
  localStorage.setItem("channel_details", "true");
  const sent = stubCalls({
    [LIST]: [sampleChannel()],
    "GET /api/channel/test/7?model=gpt-4o-mini": { time: 1.234, modelName: "gpt-4o-mini" },
  });
  await render();
  await userEvent.click((await row()).getByRole("combobox", { name: "Test model of Main" }));
  await userEvent.click(await screen.findByRole("option", { name: "gpt-4o-mini" }));
  await userEvent.click((await row()).getByRole("button", { name: "Test Main" }));
  expect(await screen.findByText("Channel test success: gpt-4o-mini, 1.23 s")).toBeTruthy();
  expect(sent.some((call) => call.address === "/api/channel/test/7?model=gpt-4o-mini")).toBe(true);
});

test("[CHLIST-28] [TEXT-49] a balance that nobody asked for is no amount; pressing it asks", async () => {
  localStorage.setItem("channel_details", "true");
  stubCalls({ [LIST]: [sampleChannel({ balance: 0 })], "GET /api/channel/update_balance/7/": { balance: 99 } });
  await render();
  expect(screen.queryByText("$0.00")).toBeNull();
  await userEvent.click(await screen.findByText("Check"));
  expect(await screen.findByText("$99.00")).toBeTruthy();
  expect(await screen.findByText("Balance updated")).toBeTruthy();
});

test("a channel of several keys shows their sum; without one of them it says that there is more", async () => {
  localStorage.setItem("channel_details", "true");
  const keys = { total: 3, enabled: 3, refused: 0, known_balances: 3, unknown_balances: 0, known_balance: 60 };
  stubCalls({
    [LIST]: [
      sampleChannel({ name: "Whole", balance: 60, balance_updated_time: 1_700_000_000, keys }),
      sampleChannel({
        id: 8,
        name: "Partly",
        balance: 0,
        keys: { ...keys, known_balances: 2, unknown_balances: 1, known_balance: 12.5 },
      }),
      sampleChannel({
        id: 9,
        name: "Unasked",
        balance: 0,
        keys: { ...keys, known_balances: 0, unknown_balances: 3, known_balance: 0 },
      }),
    ],
  });
  await render();
  const balanceOf = (name: string) =>
    screen.findByRole("button", { name: new RegExp(`refresh the balance of ${name}`) });
  expect((await balanceOf("Whole")).textContent).toBe("$60.00");
  expect((await balanceOf("Whole")).title).toMatch(/^Sum of 3 keys; the oldest check was at 20/);
  const partly = await balanceOf("Partly");
  expect([partly.textContent, partly.title]).toEqual([
    "at least $12.50",
    "The balance of 1 of 3 keys is unknown. Click to refresh.",
  ]);
  expect((await balanceOf("Unasked")).textContent).toBe("Check");
});

test("[CHLIST-15..17] [TEXT-47] [TEXT-50] tests of many and the deletion of disabled channels", async () => {
  const sent = stubCalls({
    [LIST]: [sampleChannel()],
    "GET /api/channel/?status=2": [sampleChannel({ id: 8, name: "Old one", status: 2 })],
    "GET /api/channel/?status=3": [
      sampleChannel({ id: 9, name: "Broken", status: 3 }),
      sampleChannel({ id: 10, name: "Spent", status: 3 }),
    ],
    "DELETE /api/channel/disabled": 3,
  });
  await render();
  await row();
  await userEvent.click(screen.getByRole("button", { name: "Test all" }));
  expect(await screen.findByText("Channel test started (refresh to see result)")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Test disabled" }));
  await waitFor(() => expect(sent.map((call) => call.address)).toContain("/api/channel/test?scope=disabled"));
  expect(sent.map((call) => call.address)).toContain("/api/channel/test?scope=all");
  await userEvent.click(screen.getByRole("button", { name: "Delete disabled" }));
  expect(changing(sent)).toEqual([]);
  expect(await screen.findByText(/Delete 3 disabled channels: Old one, Broken, and Spent\?/)).toBeTruthy();
  await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Delete" }));
  expect(await screen.findByText("3 disabled channels deleted")).toBeTruthy();
  expect(changing(sent)).toMatchObject([{ method: "DELETE", address: "/api/channel/disabled" }]);
});

test('where no channel is disabled, "Delete disabled" says so and offers no deletion', async () => {
  stubCalls({ [LIST]: [sampleChannel()], "GET /api/channel/?status=2": [], "GET /api/channel/?status=3": [] });
  await render();
  await row();
  await userEvent.click(screen.getByRole("button", { name: "Delete disabled" }));
  expect(await screen.findByText("No disabled channels to delete")).toBeTruthy();
  const question = within(screen.getByRole("dialog"));
  expect(question.getAllByRole("button").map((button) => button.textContent)).toEqual(["Close"]);
  await userEvent.click(question.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("[CHLIST-41] the share of each channel for a model can be seen", async () => {
  const shares = [
    { channel: 7, name: "Main", priority: 3, weight: 1, share: 0.25, reason: "" },
    { channel: 8, name: "Slow one", priority: 0, weight: 1, share: 0, reason: "-", code: "lower-priority" },
  ];
  stubCalls({ [LIST]: [sampleChannel()], "GET /api/channel/share?model=gpt-4o&group=default": shares });
  await render();
  await userEvent.click((await row()).getByRole("button", { name: "More actions for Main" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Share of requests" }));
  expect(await screen.findByText("25.0%")).toBeTruthy();
  expect(screen.getByText(/lower priority/)).toBeTruthy();
});

test("an empty list teaches what a channel is", async () => {
  stubCalls({ [LIST]: [] });
  await render();
  expect(await screen.findByText("No channels yet")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Add your first channel" }).getAttribute("href")).toBe("/channel/add");
});

test("[CHLIST-02..09] every column sorts but the test model", async () => {
  localStorage.setItem("channel_details", "true");
  const sent = stubCalls({ [LIST]: [sampleChannel()] });
  await render();
  await row();
  const heads = screen.getAllByRole("columnheader").filter((head) => within(head).queryByRole("button") !== null);
  expect(heads.map((head) => head.textContent)).toEqual([
    "ID",
    "Name",
    "Group",
    "Type",
    "Status",
    "Requests",
    "Error rate",
    "Spend",
    "p50",
    "Response time",
    "Balance",
    "Priority",
  ]);
  const asked = () => new URLSearchParams(sent.at(-1)?.address.split("?")[1]);
  for (const [name, order] of [
    ["Name", "name"],
    ["Response time", "response_time"],
    ["Balance", "balance"],
  ] as const) {
    await userEvent.click(screen.getByRole("button", { name }));
    await waitFor(() => expect([asked().get("order"), asked().get("direction")]).toEqual([order, "asc"]));
  }
  await userEvent.click(screen.getByRole("button", { name: "Balance" }));
  await waitFor(() => expect(asked().get("direction")).toBe("desc"));
});

test("filters are in the address, the server filters, and they can be cleared", async () => {
  const sent = stubCalls({ [LIST]: [] });
  const { router } = await renderPage(<ChannelListPage />, {
    address: "/channel?status=3&type=14&group=vip",
    texts: ["channels", "views"],
  });
  expect(await screen.findByText("No results")).toBeTruthy();
  const list = sent.find((call) => call.address.startsWith("/api/channel/?"))?.address ?? "";
  expect(Object.fromEntries(new URLSearchParams(list.split("?")[1]))).toMatchObject({
    status: "3",
    type: "14",
    group: "vip",
  });
  await userEvent.click(screen.getByRole("button", { name: "Clear filters" }));
  await waitFor(() => expect(router.state.location.search).toEqual({}));
});

test("a failed test stays in the row: what went wrong, when, and which address was asked", async () => {
  const failed = sampleChannel({
    test_time: 1_700_000_000,
    last_test: {
      model: "gpt-4o",
      failure: "bad-credential",
      status: 401,
      message: "Incorrect API key provided",
      address: "api.openai.com/v1/chat/completions",
    },
  });
  stubCalls({ [LIST]: [failed] });
  await render();
  await userEvent.click((await row()).getByRole("button", { name: /401 · key rejected.*Last test of Main/ }));
  const facts = within(await screen.findByRole("dialog", { name: "Last test of Main" }));
  expect(facts.getByText("api.openai.com/v1/chat/completions")).toBeTruthy();
  expect(facts.getByText("Incorrect API key provided")).toBeTruthy();
  expect(facts.getByText(formatTime(1_700_000_000))).toBeTruthy();
});

test("a running test of many shows how far it is, brings its results into the rows, and can be stopped", async () => {
  const progress = {
    running: true,
    scope: "all",
    total: 4,
    done: 1,
    failed: 0,
    started_at: 1_700_000_000,
    ended_at: 0,
  };
  const answers: Record<string, unknown> = { [LIST]: [sampleChannel()], [PROGRESS]: progress };
  const sent = stubCalls(answers);
  await render();
  expect(await screen.findByText("Testing channels: 1 of 4")).toBeTruthy();
  answers[LIST] = [sampleChannel({ response_time: 840 })];
  answers[PROGRESS] = { ...progress, done: 3, failed: 1 };
  expect(await screen.findByText("Testing channels: 3 of 4")).toBeTruthy();
  expect(screen.getByText(/1 failed/)).toBeTruthy();
  expect(await screen.findByText("0.84 s")).toBeTruthy();
  const stopped = { ...progress, running: false, done: 3, failed: 1, ended_at: 1_700_000_009 };
  answers["POST /api/channel/test/stop"] = stopped;
  await userEvent.click(screen.getByRole("button", { name: "Stop" }));
  // Only now: asked again before, it would have taken the button away.
  answers[PROGRESS] = stopped;
  expect(await screen.findByText("Test stopped: 3 of 4 tested")).toBeTruthy();
  expect(changing(sent).map((call) => call.address)).toEqual(["/api/channel/test/stop"]);
  await userEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByText(/Test stopped/)).toBeNull();
});

test("a test that ended before the page was opened is not told again", async () => {
  const ended = { running: false, scope: "all", total: 4, done: 4, failed: 4, started_at: 1, ended_at: 2 };
  stubCalls({ [LIST]: [sampleChannel()], [PROGRESS]: ended });
  await render();
  await row();
  expect(screen.queryByText(/Test finished/)).toBeNull();
});

test("[CHLIST-01] the address holds the search, and the server is asked for it", async () => {
  stubCalls({ "GET /api/channel/search": [sampleChannel()] });
  await renderPage(<ChannelListPage />, { address: "/channel?keyword=mai", texts: ["channels", "views"] });
  await row();
  expect(screen.getByPlaceholderText("Search by ID, name or model")).toHaveProperty("value", "mai");
});

test("on a narrow screen the filters stand in a sheet, and details and refresh beside the search", async () => {
  setScreenWidth(360);
  const sent = stubCalls({ [LIST]: [sampleChannel({ balance_updated_time: 1_700_000_000 })] });
  await render();
  await screen.findByRole("link", { name: "Main" });
  expect(screen.queryByRole("combobox", { name: "Status" })).toBeNull();
  const opener = screen.getByRole("button", { name: "Filters" });
  await userEvent.click(opener);
  const sheet = within(await screen.findByRole("dialog", { name: "Filters" }));
  await userEvent.click(sheet.getByRole("combobox", { name: "Status" }));
  await userEvent.click(await screen.findByRole("option", { name: "Manually disabled" }));
  await waitFor(() => expect(sent.at(-1)?.address).toContain("status=2"));
  await userEvent.click(sheet.getByRole("button", { name: "Show results" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(opener.textContent).toBe("Filters (1)");
  await waitFor(() => expect(document.activeElement).toBe(opener));
  await userEvent.click(screen.getByRole("button", { name: "Show details" }));
  expect(await screen.findByText("$12.50")).toBeTruthy();
  const asked = sent.length;
  await userEvent.click(screen.getByRole("button", { name: "Refresh" }));
  await waitFor(() => expect(sent.length).toBeGreaterThan(asked));
});

test("on a narrow screen the actions on all channels are behind three dots, and deleting asks first", async () => {
  setScreenWidth(360);
  const sent = stubCalls({
    [LIST]: [sampleChannel()],
    "GET /api/channel/?status=2": [sampleChannel({ id: 8, name: "Old one", status: 2 })],
    "GET /api/channel/?status=3": [],
    "DELETE /api/channel/disabled": 1,
  });
  await render();
  await userEvent.click(await screen.findByRole("button", { name: "Actions for Channels" }));
  await userEvent.click(await screen.findByRole("button", { name: "Delete disabled" }));
  const question = within(await screen.findByRole("dialog", { name: "Delete disabled" }));
  expect(await question.findByText("Old one")).toBeTruthy();
  expect(changing(sent)).toEqual([]);
  await userEvent.click(question.getByRole("button", { name: "Delete" }));
  expect(await screen.findByText("1 disabled channel deleted")).toBeTruthy();
});
