import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { formatDate } from "../../lib/format.ts";
import { loadTexts } from "../../lib/i18n/i18n.ts";
import { clearUser, currentUser, storeUser } from "../../lib/state/session.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import HomePage from "./home-page.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  clearUser();
});

async function open(content: string, answers: Record<string, unknown> = {}, tokensMayCome = Promise.resolve()) {
  stubCalls({
    "GET /api/home_page_content": content,
    "GET /api/status": new Error("none"),
    "GET /api/token/": [],
    "GET /api/channel/": [],
    "GET /api/log/": [],
    "GET /api/log/self/": [],
    "GET /api/user/self": { ...currentUser(), quota: 500_000 },
    ...answers,
  });
  const answer = fetch;
  vi.stubGlobal("fetch", async (address: string, init?: RequestInit) => {
    if (address.startsWith("/api/token/")) await tokensMayCome;
    return answer(address, init);
  });
  await Promise.all([
    // The page loads it later; here it is there from the beginning, however slow the machine.
    import("./summary/home-summary.tsx"),
    loadTexts(["dashboard", "logs", "channel-reasons", "playground", "tokens", "topup"]),
  ]);
  await renderPage(<HomePage />, { texts: ["home"] });
}

test("[PAGE-04] without a home page visitors are welcomed with the status of the system", async () => {
  await open("");
  expect(await screen.findByRole("heading", { level: 1, name: "One API" })).toBeDefined();
  expect(screen.getByText("Status")).toBeDefined();
  expect(screen.getByRole("link", { name: "Log in" }).getAttribute("href")).toBe("/login");
});

const price = {
  types: [1],
  group: "default",
  group_ratio: 1,
  cached_input: null,
  cache_write: null,
  audio_input: null,
  audio_output: null,
  image_input: null,
  reasoning: null,
  long_prompt: null,
  web_search: null,
  context_tokens: null,
  max_output_tokens: null,
  abilities: [],
};

test("visitors see what they may come to use and what it costs, and the way to an account", async () => {
  const models = ["a", "b", "c", "d", "e", "f", "g", "h", "i"].map((end) => ({
    ...price,
    model: `model-${end}`,
    input: 2.5,
    output: 10,
  }));
  const picture = { ...price, model: "picture", input: 0, output: 0, unit_price: { unit: "image", dollars: 0.04 } };
  const vectors = { ...price, model: "embedding", input: 0.02, output: 0, input_only: true };
  await open("", { "GET /api/pricing": [picture, vectors, ...models] });
  const offered = within((await screen.findByText("Models")).closest("section") ?? document.body);
  expect(offered.getByText("10 models, USD per million input / output tokens")).toBeTruthy();
  expect(offered.getAllByRole("listitem").map(({ textContent }) => textContent)).toHaveLength(8);
  expect(offered.getAllByText("$2.50 / $10.00")).toHaveLength(7);
  expect(offered.getByText("$0.02")).toBeTruthy();
  expect(offered.queryByText("picture")).toBeNull();
  expect(offered.getByRole("link", { name: "All prices" }).getAttribute("href")).toBe("/pricing");
  expect(screen.getByRole("link", { name: "Create an account" }).getAttribute("href")).toBe("/register");
  expect([screen.queryByText("Version"), screen.queryByText("Started")]).toEqual([null, null]);
});

test("the example of a call comes with the first steps, which would push it down", async () => {
  storeUser({ id: 1, username: "root", display_name: "Root", role: 100, status: 1 });
  const gate = Promise.withResolvers<void>();
  await open("", {}, gate.promise);
  expect(await screen.findByText("Welcome, Root")).toBeDefined();
  expect(screen.queryByText("Make a request")).toBeNull();
  gate.resolve();
  expect(await screen.findByText("Make a request")).toBeDefined();
  expect(screen.getByText("Get started")).toBeDefined();
});

test("[PAGE-04] root is shown the first steps", async () => {
  storeUser({ id: 1, username: "root", display_name: "Root", role: 100, status: 1 });
  await open("");
  expect(await screen.findByRole("heading", { level: 1, name: "Welcome, Root" })).toBeDefined();
  const steps = within((await screen.findByText("Get started")).closest("section") ?? document.body);
  expect((await steps.findByRole("link", { name: /Add a channel/ })).getAttribute("href")).toBe("/channel/add");
  expect(steps.getByRole("link", { name: /Create a token/ }).getAttribute("href")).toBe("/token/add");
});

test.each([
  ["to get a quota, without which none of their calls is served", 0, "To do"],
  ["and that they have a quota", 500_000, "Done"],
])("[PAGE-04] users are told %s", async (_what, quota, state) => {
  const user = { id: 2, username: "ann", display_name: "Ann", role: 1, status: 1 };
  storeUser(user);
  const accounts = { email: "", github_id: "", wechat_id: "", lark_id: "" };
  const self = { ...user, ...accounts, group: "default", quota, used_quota: 0, request_count: 0 };
  await open("", { "GET /api/user/self": self });
  const steps = within((await screen.findByText("Get started")).closest("section") ?? document.body);
  const step = await steps.findByRole("link", { name: /Get balance/ });
  expect(step.getAttribute("href")).toBe("/topup");
  expect(within(step).getByRole("img", { name: state })).toBeDefined();
});

test("[PAGE-01] [PAGE-02] a home page takes the welcome's place", async () => {
  await open("# Our gateway");
  expect(await screen.findByRole("heading", { name: "Our gateway" })).toBeDefined();
  expect(screen.queryByText("Status")).toBeNull();
});

const DAY = 86_400;

/** A month of the same spend each day. */
function usageOf(quotaOfDay: number) {
  const now = Math.floor(Date.now() / 1_000);
  return {
    edges: Array.from({ length: 31 }, (_edge, day) => now - (30 - day) * DAY),
    parts: Array.from({ length: 30 }, () => ({ quota: quotaOfDay })),
    total: { requests: 200, errors: 5, quota: 1_000_000 },
    before: null,
    is_complete: true,
  };
}

const request = { id: 8, type: 2, model_name: "gpt-4o", token_name: "app", token_id: 3, username: "ann", result: "ok" };
const doneToken = {
  id: 3,
  name: "app",
  status: 1,
  accessed_time: 1_700_000_000,
  used_quota: 250_000,
  remain_quota: 750_000,
};

test("the next step is the page's button, and gives way to the dashboard once all are taken", async () => {
  storeUser({ id: 2, username: "ann", display_name: "Ann", role: 1, status: 1 });
  await open("");
  const head = within((await screen.findByRole("heading", { level: 1 })).closest("header") ?? document.body);
  expect((await head.findByRole("link", { name: "Create a token" })).getAttribute("href")).toBe("/token/add");
});

test("administrators see today's spend, errors and newest requests of everybody", async () => {
  storeUser({ id: 1, username: "root", display_name: "Root", role: 100, status: 1 });
  await open("", {
    // A served request proves more than a test of the channel.
    "GET /api/channel/": [{ type: 1, name: "main", test_time: 0 }],
    "GET /api/token/": [doneToken],
    "GET /api/log/": [request],
    "GET /api/dashboard/": usageOf(1),
  });
  const spend = (await screen.findByText("Spend today")).closest("div");
  await waitFor(() => expect(spend?.textContent).toContain("$2.00"));
  expect(screen.getByText("2.50%")).toBeDefined();
  const newest = within(await screen.findByRole("region", { name: "Newest requests" }));
  expect(newest.getByText("gpt-4o")).toBeDefined();
  expect(screen.queryByText("Get started")).toBeNull();
});

test("users see how long their balance lasts, what each token spent, and what to do about the last error", async () => {
  storeUser({ id: 2, username: "ann", display_name: "Ann", role: 1, status: 1 });
  const failed = {
    ...request,
    result: "refused",
    status_code: 429,
    detail: { refusal: "insufficient_quota" },
  };
  await open("", {
    "GET /api/user/self": { id: 2, role: 1, status: 1, quota: 3_500_000 },
    "GET /api/token/": [doneToken],
    "GET /api/log/self/": [failed],
    "GET /api/dashboard/self": usageOf(250_000),
  });
  const end = formatDate(Date.now() / 1_000 + 14 * DAY);
  expect(await screen.findByText(`Lasts until about ${end}`)).toBeDefined();
  expect(
    within(await screen.findByRole("region", { name: "Spend by token" })).getByText("$0.50 of $2.00"),
  ).toBeDefined();
  const error = within(await screen.findByRole("region", { name: "Last error" }));
  expect(error.getByText("Raise the token's quota, or top up your balance.")).toBeDefined();
  expect(error.getByRole("link", { name: "Edit token" }).getAttribute("href")).toBe("/token/edit/3");
  expect(error.getByRole("link", { name: "Top up" }).getAttribute("href")).toBe("/topup");
});

test("an empty balance is told with the way out of it", async () => {
  storeUser({ id: 2, username: "ann", display_name: "Ann", role: 1, status: 1 });
  await open("", { "GET /api/user/self": { id: 2, role: 1, status: 1, quota: 0 } });
  const notice = within(await screen.findByRole("alert"));
  expect(notice.getByText("Your balance is $0.00")).toBeDefined();
  expect(notice.getByRole("link", { name: "Top up" }).getAttribute("href")).toBe("/topup");
});
