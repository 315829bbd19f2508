import type { Dashboard, Usage } from "@one-api/contract/usage/dashboard";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { clearUser, storeUser } from "../../lib/state/session.ts";
import { changeLanguage } from "../../lib/i18n/i18n.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import DashboardPage from "./dashboard-page.tsx";

const ALL = "GET /api/dashboard/";
const OWN = "GET /api/dashboard/self";
const HISTOGRAM = "GET /api/log/histogram";
const OWN_HISTOGRAM = "GET /api/log/self/histogram";
const MARKS = "GET /api/dashboard/marks";
const STORE = "GET /api/log/store";
const RULES = "GET /api/alert-rule/";
const TROUBLES = "GET /api/dashboard/troubles";
const NO_TROUBLES = { channels: [], sleeping: [], channel_balances: [], user_balances: [] };

const usage: Usage = {
  requests: 200,
  errors: 5,
  refused: 3,
  quota: 1_000_000,
  prompt_tokens: 4_000,
  completion_tokens: 1_000,
  cached_tokens: 3_000,
  first_byte_p50_ms: 420,
  first_byte_p95_ms: 2_400,
  first_byte_p99_ms: 5_000,
  total_p50_ms: 6_100,
  total_p95_ms: 12_000,
  total_p99_ms: 30_000,
  tokens_per_second: 48.23,
  cost: 400_000,
  unknown_cost_requests: 2,
  unknown_cost_quota: 100_000,
};

const dashboard: Dashboard = {
  edges: [1_800_000_000, 1_800_003_600, 1_800_007_200],
  parts: [
    { ...usage, quota: 250_000 },
    { ...usage, quota: 750_000 },
  ],
  total: usage,
  before: null,
  before_parts: null,
  rows: [
    { ...usage, key: "5/main key", name: "main key", owner: "mia" },
    { ...usage, quota: 0, requests: 0, first_byte_p50_ms: null, key: "9/", name: "", owner: "" },
  ],
  rest: { ...usage, count: 12, quota: 5_000 },
  is_complete: false,
};

const open = (address: string, role: number, answers: Parameters<typeof stubCalls>[0] = {}) => {
  storeUser({ id: 2, username: "grace", display_name: "", role, status: 1 });
  const sent = stubCalls({
    [STORE]: { state: "following", progress: 1 },
    [ALL]: dashboard,
    [OWN]: dashboard,
    [TROUBLES]: NO_TROUBLES,
    [HISTOGRAM]: [],
    [OWN_HISTOGRAM]: [],
    [MARKS]: { price_changes: [], decisions: [] },
    [RULES]: [],
    ...answers,
  });
  const view = renderPage(<DashboardPage />, { address, path: "/dashboard", texts: ["dashboard", "channel-reasons"] });
  return view.then(({ router }) => ({ sent, router }));
};
afterEach(clearUser);

const queryOf = (address = "") => Object.fromEntries(new URL(address, "http://a").searchParams);

/** Calls for the page's own numbers, without those for the small charts. */
const asksOf = (sent: readonly { address: string }[]) =>
  sent.filter(({ address }) => address.startsWith("/api/dashboard/?") && queryOf(address)["rows"] !== "0");

test("administrators see spend, errors, first token and margin, and which costs nobody knows", async () => {
  const { sent } = await open("/dashboard?by=token&range=month", 10);
  const tile = async (name: RegExp) => (await screen.findByRole("button", { name })).textContent;
  await screen.findByText("main key");
  expect(await tile(/^Spend/)).toContain("$2.00");
  expect(await tile(/^Error rate/)).toContain("2.50%");
  expect(await tile(/^Requests/)).toContain("+3 rejected");
  expect(await tile(/^First token/)).toContain("0.42 s");
  expect(await tile(/^Margin/)).toContain("$1.00");
  expect(screen.getByText(/Cost unknown for 2 requests \(\$0\.20 charged\)/)).toBeTruthy();
  expect(screen.getByText(/are missing while/)).toBeTruthy();
  expect(screen.getByText("12 others:")).toBeTruthy();
  const asked = queryOf(asksOf(sent)[0]?.address);
  expect(asked).toMatchObject({ by: "token", metric: "spend", user: "0" });
  expect(asked["edges"]?.split(",")).toHaveLength(31);
});

test("where nothing was refused, nothing is said of it", async () => {
  await open("/dashboard", 10, { [ALL]: { ...dashboard, total: { ...usage, refused: 0 } } });
  await screen.findByText("main key");
  expect(screen.getByRole("button", { name: /^Requests/ }).textContent).toBe("Requests200");
});

test("before the first request the totals stand alone", async () => {
  const nothing = {
    ...usage,
    requests: 0,
    errors: 0,
    refused: 0,
    quota: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    cost: 0,
  };
  await open("/dashboard", 10, { [ALL]: { ...dashboard, total: nothing } });
  await screen.findByText("main key");
  const tiles = within(screen.getByRole("group", { name: "Metric" })).getAllByRole("button");
  expect(tiles.map(({ textContent }) => textContent)).toContain("Error rate–");
});

test("a model whose cost nobody knows has no margin, not one of zero", async () => {
  const unknown = { ...usage, quota: 300, cost: 0, unknown_cost_requests: 1, unknown_cost_quota: 300 };
  const rows = [{ ...unknown, key: "own-model", name: "own-model", owner: "" }];
  await open("/dashboard?by=model&metric=margin", 10, { [ALL]: { ...dashboard, rows, rest: null } });
  const cells = within(await screen.findByRole("row", { name: /own-model/ })).getAllByRole("cell");
  expect(cells.at(-1)?.textContent).toBe("Margin–");
});

test("each bar and each row leads to the log entries behind it, and arrow keys walk through the bars", async () => {
  await open("/dashboard?by=token", 10);
  const row = await screen.findByRole("link", { name: "main key" });
  expect(queryOf(row.getAttribute("href") ?? "")).toEqual({
    token_name: "main key",
    username: "mia",
    start_timestamp: "1800000000",
    end_timestamp: "1800007199",
  });
  const bars = within(screen.getByRole("figure", { name: "Spend over time" })).getAllByRole("link");
  expect(bars.map((bar) => bar.tabIndex)).toEqual([0, -1]);
  expect(queryOf(bars[1]?.getAttribute("href") ?? "")).toEqual({
    start_timestamp: "1800003600",
    end_timestamp: "1800007199",
  });
  bars[0]?.focus();
  fireEvent.keyDown(bars[0] ?? document.body, { key: "ArrowRight" });
  expect(document.activeElement).toBe(bars[1]);
  await userEvent.click(screen.getByRole("button", { name: "Table" }));
  expect(screen.getAllByRole("table")[0]?.textContent).toContain("$1.50");
});

test("the chart adds up over the time and takes steps of one's own, by the address; the same answer is not asked for twice", async () => {
  const { sent, router } = await open("/dashboard", 10);
  const asked = () => asksOf(sent);
  await screen.findByText("main key");
  const first = asked().length;
  await userEvent.click(screen.getByRole("button", { name: "Chart options" }));
  await userEvent.click(await screen.findByRole("menuitemcheckbox", { name: "Cumulative" }));
  expect(router.state.location.search).toEqual({ sum: "1" });
  const bars = () => within(screen.getByRole("figure", { name: "Spend over time" })).getAllByRole("link");
  await waitFor(() =>
    expect(bars().map((bar) => bar.getAttribute("aria-label")?.match(/\$\d+\.\d\d/)?.[0])).toEqual(["$0.50", "$2.00"]),
  );
  expect(queryOf(bars()[1]?.getAttribute("href") ?? "")).toEqual({
    start_timestamp: "1800000000",
    end_timestamp: "1800007199",
  });
  expect(asked()).toHaveLength(first);
  await userEvent.click(screen.getByRole("menuitemcheckbox", { name: "Daily" }));
  expect(router.state.location.search).toEqual({ sum: "1", step: "day" });
  await waitFor(() => expect(queryOf(asked().at(-1)?.address)["edges"]?.split(",").length).toBeLessThan(11));
});

test("what is chosen stands in the address under its name, and is asked for", async () => {
  const { sent, router } = await open("/dashboard", 10);
  await screen.findByText("main key");
  await userEvent.click(screen.getByRole("button", { name: "24 hours" }));
  await userEvent.click(screen.getByRole("button", { name: "Channel" }));
  await userEvent.click(screen.getByRole("button", { name: /^Margin/ }));
  expect(router.state.location.search).toEqual({ range: "day", by: "channel", metric: "margin" });
  await waitFor(() => expect(queryOf(asksOf(sent).at(-1)?.address)).toMatchObject({ by: "channel", metric: "margin" }));
});

test("others see their own alone: no margin, no channels, no users, no troubles", async () => {
  const { cost: _cost, unknown_cost_requests: _requests, unknown_cost_quota: _quota, ...own } = usage;
  const answer = { ...dashboard, total: own };
  const { sent } = await open("/dashboard?by=user&metric=margin&user=7", 1, { [OWN]: answer });
  await screen.findByText("main key");
  const asked = sent.map(({ address }) => address).filter((address) => address.startsWith("/api/dashboard"));
  expect(new Set(asked.map((address) => address.split("?")[0]))).toEqual(new Set(["/api/dashboard/self"]));
  expect(queryOf(asked[0])).toMatchObject({ by: "model", metric: "spend" });
  for (const name of [/^Margin/, "Channel", "User"]) expect(screen.queryByRole("button", { name })).toBeNull();
  expect(screen.queryByText(/Needs attention|All channels/)).toBeNull();
});

test("troubles stand on top, each with the way to it; none is one line", async () => {
  await open("/dashboard", 10, {
    [TROUBLES]: {
      channels: [{ id: 3, name: "flaky", trouble: "errors", reason: "", requests: 40, errors: 9 }],
      sleeping: [{ id: 4, name: "limited", models: ["gpt-4o"], awake_time: 1_800_000_000 }],
      channel_balances: [
        { id: 5, name: "poor", type: 1, balance: 0.4 },
        { id: 8, name: "in yuan", type: 36, balance: 0.6 },
        { id: 7, name: "keyed", type: 1, balance: 0.3, key: { id: 9, end: "0009" } },
      ],
      user_balances: [{ id: 6, username: "ben", remaining: 500 }],
      unpriced_models: [{ model: "short", price_of: "new-model", requests: 7 }],
    },
  });
  expect((await screen.findByRole("link", { name: "flaky" })).getAttribute("href")).toBe("/channel/3");
  expect(screen.getByText("9 of 40 requests failed in 24 hours")).toBeTruthy();
  expect(screen.getByText(/gpt-4o · until/)).toBeTruthy();
  expect(screen.getByText("$0.40 left at the provider")).toBeTruthy();
  expect(screen.getByText("¥0.60 left at the provider")).toBeTruthy();
  expect(screen.getByText("…0009 · $0.30 left at the provider")).toBeTruthy();
  expect(screen.getByRole("link", { name: "ben" }).getAttribute("href")).toBe("/user/6");
  expect(screen.getByText("7 requests refused in 24 hours").closest("li")?.textContent).toContain("short → new-model");
  const setPrice = screen.getByRole("link", { name: "Set a price for new-model" });
  expect(setPrice.getAttribute("href")).toBe("/setting/ratios?price=new-model");
});

test("a gateway without a channel says so and offers to add one, and does not call it healthy", async () => {
  await open("/dashboard", 10, { [TROUBLES]: { ...NO_TROUBLES, has_channels: false } });
  expect(await screen.findByText("No channel yet")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Add a channel" }).getAttribute("href")).toBe("/channel/add");
  expect(screen.queryByText("All channels are available")).toBeNull();
  cleanup();
  await open("/dashboard", 10, { [TROUBLES]: { ...NO_TROUBLES, has_channels: true } });
  expect(await screen.findByText("All channels are available")).toBeTruthy();
});

test("why a channel was disabled is told in the reader's language, made of its parts and not of the server's English", async () => {
  const said = { trouble: "disabled", requests: 0, errors: 0 };
  const parts = { used: 3.01, limit: 3 };
  const channels = [
    { ...said, id: 3, name: "thrifty", reason: "It spent $3.01 of its $3 limit.", code: "spending-limit", parts },
    { ...said, id: 4, name: "refused", reason: "The provider refused the key: No.", code: "key-refused", parts: { said: "No." } },
    { ...said, id: 5, name: "old", reason: "Told by an older version." },
  ]; // prettier-ignore
  await changeLanguage("zh-CN");
  try {
    await open("/dashboard", 10, {
      [TROUBLES]: { channels, sleeping: [], channel_balances: [], user_balances: [] },
    });
    const textOf = async (name: string) => (await screen.findByRole("link", { name })).closest("li")?.textContent;
    expect(await textOf("thrifty")).toBe("thrifty 已自动禁用 · 已消费 $3.01，上限为 $3.00");
    expect(await textOf("refused")).toBe("refused 已自动禁用 · 提供商拒绝了密钥 · No");
    expect(await textOf("old")).toBe("old 已自动禁用 · Told by an older version");
  } finally {
    await changeLanguage("en");
  }
});

test("a dashboard that does not load says so, and offers another try", async () => {
  await open("/dashboard", 1, { [OWN]: new Error("The database is away.") });
  expect(await screen.findByText(/The database is away/)).toBeTruthy();
  expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
  expect(screen.queryByText("…"), "nothing is on its way any more").toBeNull();
});

test("a difference from next to nothing is capped", async () => {
  const before = { ...usage, quota: 600 };
  await open("/dashboard?range=day", 10, { [ALL]: { ...dashboard, is_complete: true, before } });
  const tile = await screen.findByRole("button", { name: /^Spend.*Up >999% from the previous period/ });
  expect(tile.textContent).toContain("↑ >999%");
});

test("tiles say in words how they differ from the time before, in colour only what is notably better or worse", async () => {
  const before = {
    ...usage,
    quota: 800_000,
    errors: 15,
    first_byte_p50_ms: 400,
    cached_tokens: 2_800,
    requests: 200,
    cost: 400_000,
  };
  const { sent } = await open("/dashboard?range=day", 10, { [ALL]: { ...dashboard, is_complete: true, before } });
  await screen.findByText("main key");
  const tile = (name: RegExp) => {
    const button = screen.getByRole("button", { name });
    return { text: button.textContent, tone: button.querySelector<HTMLElement>("span[data-tone]")?.dataset["tone"] };
  };
  const [spend, errors] = [tile(/^Spend.*Up 25% from the previous period/), tile(/^Error rate.*Down 5 points from/)];
  expect(spend.text).toMatch(/↑ 25%.*Previous period: \$1\.60/);
  expect(errors.text).toMatch(/↓ 5 pts.*7\.50%/);
  expect([spend.tone, errors.tone]).toEqual([undefined, "better"]);
  expect(tile(/^First token.*Up 5\.0% from/).tone, "under 10% is no matter").toBeUndefined();
  expect(tile(/^First token.*p95 2\.40 s/)).toBeDefined();
  expect(tile(/^Cache hits75\.0%.*Up 5 points from.*3K of 4K tokens/).tone).toBe("better");
  expect(screen.getByTitle("3,000 of 4,000 tokens")).toBeDefined();
  expect(tile(/^Requests.*No change/).tone).toBeUndefined();
  const asked = queryOf(asksOf(sent)[0]?.address);
  expect(asked["before"]?.split(",").map(Number)).toHaveLength(2);
});

test("nothing is compared with an empty time, nor while the newest entries are missing", async () => {
  const nothing = {
    ...usage,
    requests: 0,
    errors: 0,
    quota: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    first_byte_p50_ms: null,
    first_byte_p95_ms: null,
  };
  const { sent } = await open("/dashboard", 10, { [ALL]: { ...dashboard, is_complete: true, before: nothing } });
  await screen.findByText("main key");
  expect(sent.length).toBeGreaterThan(0);
  expect(screen.queryByText(/in the time before|As before/i)).toBeNull();
  cleanup();
  await open("/dashboard", 10, { [ALL]: { ...dashboard, is_complete: false, before: { ...usage, quota: 1 } } });
  await screen.findByText("main key");
  expect(screen.queryByText(/in the time before|As before/i)).toBeNull();
});

test("the chart is split by model at first, with values at the cursor, totals and shares, also as a table", async () => {
  const own = (quota: number) => ({ ...usage, quota });
  const rows = [
    { ...own(600_000), key: "o3", name: "o3", owner: "", parts: [own(200_000), own(400_000)] },
    { ...own(300_000), key: "o4", name: "o4", owner: "", parts: [own(50_000), own(250_000)] },
    { ...own(1_000), key: "o5", name: "o5", owner: "" },
  ];
  const { sent, router } = await open("/dashboard", 10, { [ALL]: { ...dashboard, rows } });
  expect(await screen.findByRole("link", { name: "o5" })).toBeTruthy();
  expect(queryOf(asksOf(sent)[0]?.address)["series"]).toBe("6");
  const figure = within(screen.getByRole("figure", { name: "Spend over time" }));
  const legend = () =>
    figure.getAllByRole("row").map((row) => [...row.children].map(({ textContent }) => textContent).join(" "));
  expect(legend()).toEqual(["Model At cursor Total Share", "o3  $1.20 60%", "o4  $0.60 30%", "Others  $0.20 10%"]);
  const colours = figure.getAllByRole("rowheader").map((name) => name.querySelector("span")?.style.background);
  expect(new Set(colours).size).toBe(3);
  fireEvent.focus(figure.getAllByRole("link")[1] ?? document.body);
  expect(legend().slice(1)).toEqual(["o3 $0.80 $1.20 60%", "o4 $0.50 $0.60 30%", "Others $0.20 $0.20 10%"]);
  await userEvent.click(screen.getByRole("button", { name: "Table" }));
  const table = within(screen.getAllByRole("table")[0] ?? document.body);
  expect(table.getAllByRole("columnheader").map((head) => head.textContent)).toEqual(["Time", "o3", "o4", "Others"]);
  expect(table.getAllByRole("cell").map((cell) => cell.textContent)).toEqual(["$0.40", "$0.10", "$0.00", "$0.80", "$0.50", "$0.20"]); // prettier-ignore
  const keys = within(screen.getByRole("region", { name: "Spend over time" })).getByRole("group", { name: "Group by" });
  await userEvent.click(within(keys).getByRole("button", { name: "Model", pressed: true }));
  expect(router.state.location.search).toEqual({ split: "0" });
  await waitFor(() => expect(queryOf(asksOf(sent).at(-1)?.address)["series"]).toBe("0"));
  expect(within(keys).queryByRole("button", { pressed: true })).toBeNull();
  await userEvent.click(within(keys).getByRole("button", { name: "User" }));
  expect(router.state.location.search).toEqual({ by: "user" });
  await waitFor(() => expect(queryOf(asksOf(sent).at(-1)?.address)).toMatchObject({ by: "user", series: "6" }));
});

test("the period before is beside the chart, and can be left out", async () => {
  const before_parts = [
    { ...usage, quota: 100_000 },
    { ...usage, quota: 150_000 },
  ];
  const { router } = await open("/dashboard", 10, { [ALL]: { ...dashboard, is_complete: true, before_parts } });
  await screen.findByText("main key");
  const figure = within(screen.getByRole("figure", { name: "Spend over time" }));
  fireEvent.focus(figure.getAllByRole("link")[1] ?? document.body);
  expect(figure.getByRole("row", { name: /Previous period/ }).textContent).toBe("Previous period$0.30––");
  await userEvent.click(screen.getByRole("button", { name: "Chart options" }));
  await userEvent.click(await screen.findByRole("menuitemcheckbox", { name: "Compare with previous period" }));
  expect(router.state.location.search).toEqual({ compare: "0" });
  await waitFor(() => expect(figure.queryByRole("row", { name: /Previous period/ })).toBeNull());
});

test("a drag over the chart sets the period, and Back undoes it; Escape cancels", async () => {
  const { router } = await open("/dashboard?range=day", 10);
  await screen.findByText("main key");
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 200, 100));
  const bars = within(screen.getByRole("figure", { name: "Spend over time" })).getAllByRole("link");
  const drag = (cancel: () => void) => {
    const mouse = { pointerType: "mouse", button: 0 };
    fireEvent.pointerDown(bars[1] ?? document.body, { ...mouse, clientX: 150 });
    fireEvent.pointerMove(bars[0] ?? document.body, { ...mouse, clientX: 20 });
    cancel();
    fireEvent.pointerUp(window);
  };
  drag(() => fireEvent.keyDown(window, { key: "Escape" }));
  expect(router.state.location.search).toEqual({ range: "day" });
  drag(() => undefined);
  await waitFor(() => expect(router.state.location.search).toEqual({ start: "1800000000", end: "1800007200" }));
  router.history.back();
  await waitFor(() => expect(router.state.location.search).toEqual({ range: "day" }));
});

test("small charts share time and filter with the large one, and name their values", async () => {
  const { sent } = await open("/dashboard?model=o3", 10, {
    [HISTOGRAM]: [
      { interval: 0, result: "timeout", entries: 4 },
      { interval: 1, result: "provider-limited", entries: 1_200 },
    ],
  });
  const wall = within(await screen.findByRole("region", { name: "More metrics" }));
  const names = () => wall.getAllByRole("figure").map((figure) => figure.ariaLabel);
  await waitFor(() =>
    expect(names()).toEqual([
      "Requests: 200",
      "Errors: 5",
      "Spend and margin: $2.00 · $1.00",
      "First token: 0.42 s · 2.40 s",
      "Tokens/s: 48.2",
      "Cache hits: 75.0%",
    ]),
  );
  expect(wall.getByText("Rate limited")).toBeTruthy();
  const edges = dashboard.edges.join(",");
  const asked = (path: string) => queryOf(sent.findLast(({ address }) => address.startsWith(path))?.address);
  expect(asked("/api/log/histogram")).toMatchObject({ edges, model_name: "o3", result: "errors", type: "2" });
  const times = sent.map(({ address }) => queryOf(address)).find(({ rows }) => rows === "0");
  expect(times).toMatchObject({ edges, model_name: "o3", metric: "first_byte" });
});

test("a small chart whose values cannot be loaded says why and loads them on demand; the others stand", async () => {
  const answers: Record<string, unknown> = { [HISTOGRAM]: new Error("The store is broken.") };
  await open("/dashboard", 10, answers);
  const errors = within(await screen.findByRole("figure", { name: "Errors: 5" }));
  expect(await errors.findByText("The store is broken.")).toBeTruthy();
  expect(screen.getAllByText("The store is broken.")).toHaveLength(1);
  expect(errors.queryByText("Other")).toBeNull();
  stubCalls({ [HISTOGRAM]: [{ interval: 0, result: "timeout", entries: 4 }] });
  await userEvent.click(errors.getByRole("button", { name: "Try again" }));
  expect(await errors.findByText("Timed out")).toBeTruthy();
  expect(errors.queryByRole("button", { name: "Try again" })).toBeNull();
});

test("price changes and automatic decisions are marks on the chart, which lead to their cause", async () => {
  const decision = { id: 1, at: 1_800_003_700, kind: "disabled", channel_id: 7, channel_name: "Groq", model: "" };
  await open("/dashboard", 10, { [MARKS]: { price_changes: [1_800_000_100], decisions: [decision] } });
  const marks = within(await screen.findByRole("list", { name: "Events" }));
  expect(marks.getByRole("link", { name: /^Price change/ }).getAttribute("href")).toContain("/audit?kind=option");
  const link = marks.getByRole("link", { name: /Groq · disabled automatically$/ });
  expect(link.getAttribute("href")).toBe("/channel/7");
});

test("times by hour and weekday are loaded on demand, as a table", async () => {
  const hours = [
    { hour: 0, streams: 1, first_byte_p50_ms: 300, first_byte_p95_ms: 300 },
    { hour: 167, streams: 1_200, first_byte_p50_ms: 900, first_byte_p95_ms: 2_000 },
  ];
  const { router } = await open("/dashboard", 1, { "GET /api/dashboard/self/hours": hours });
  await userEvent.click(await screen.findByRole("button", { name: "Show" }));
  expect(router.state.location.search).toEqual({ hours: "1" });
  const sunday = await screen.findByRole("row", { name: /^Sun/ });
  expect(within(sunday).getAllByRole("cell").at(-1)?.textContent).toBe("p50 0.90 s, p95 2.00 s, 1,200 streams");
  expect(screen.getByText(/Fastest 0\.30 s/)).toBeTruthy();
});

test("days of one's own are typed as the console writes them; what is none is told once its field is left", async () => {
  const { router } = await open("/dashboard", 10);
  await userEvent.click(await screen.findByRole("button", { name: "Custom range" }));
  const [first, last] = [await screen.findByLabelText("First day"), screen.getByLabelText("Last day")];
  await userEvent.clear(first);
  await userEvent.type(first, "2026-02-30");
  expect(screen.queryByText("Use YYYY-MM-DD.")).toBeNull();
  await userEvent.click(last);
  expect(screen.getByText("Use YYYY-MM-DD.")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Apply" }));
  expect(document.activeElement).toBe(first);
  await userEvent.clear(first);
  await userEvent.type(first, "2026-03-05");
  expect(screen.queryByText("Use YYYY-MM-DD.")).toBeNull();
  await userEvent.clear(last);
  await userEvent.type(last, "2026-03-01{Enter}");
  expect(screen.getByText("The last day is before the first.")).toBeTruthy();
  await userEvent.clear(last);
  await userEvent.type(last, "2026-03-06{Enter}");
  const time = (day: number) => String(new Date(2026, 2, day).getTime() / 1_000);
  await waitFor(() => expect(router.state.location.search).toEqual({ start: time(5), end: time(7) }));
  expect(await screen.findByRole("button", { name: "2026-03-05 – 2026-03-06" })).toBeTruthy();
});

test("a day of one's own can be chosen from a calendar, which leaves the days that cannot be out", async () => {
  const { router } = await open(`/dashboard?start=${new Date(2026, 2, 5).getTime() / 1_000}&end=${new Date(2026, 2, 7).getTime() / 1_000}`, 10); // prettier-ignore
  await userEvent.click(await screen.findByRole("button", { name: "2026-03-05 – 2026-03-06" }));
  await userEvent.click(await screen.findByRole("button", { name: "Choose last day" }));
  const early = await screen.findByRole("button", { name: "4 March 2026" });
  expect(early).toHaveProperty("disabled", true);
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("button", { name: "4 March 2026" })).toBeNull());
  await userEvent.click(screen.getByRole("button", { name: "Choose last day" }));
  await userEvent.click(await screen.findByRole("button", { name: "9 March 2026" }));
  expect(screen.getByLabelText<HTMLInputElement>("Last day").value).toBe("2026-03-09");
  // By its key alone from here: the focus is back at the calendar's button.
  await waitFor(() => expect(document.activeElement?.ariaLabel).toBe("Choose last day"));
  await userEvent.click(screen.getByRole("button", { name: "Apply" }));
  await waitFor(() =>
    expect(router.state.location.search).toMatchObject({ end: String(new Date(2026, 2, 10).getTime() / 1_000) }),
  );
});
