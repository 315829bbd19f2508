import type { Dashboard, DashboardRow, Usage } from "@one-api/contract/usage/dashboard";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { clearUser, storeUser } from "../../../lib/state/session.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { stubCalls } from "../../../testing/stub-calls.ts";
import DashboardPage from "../dashboard-page.tsx";

const usage: Usage = {
  requests: 200,
  errors: 5,
  refused: 0,
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
};

const row = (key: string, name: string, owner = ""): DashboardRow => ({ ...usage, key, name, owner });

const ROWS: Readonly<Record<string, DashboardRow[]>> = {
  model: [row("o3", "o3"), row("", "")],
  user: [row("7", "mia"), row("8", "")],
  channel: [row("3", "main"), row("0", "")],
  token: [row("7/app", "app", "mia")],
};

function dashboardBy(by: string): Dashboard {
  return {
    edges: [1_800_000_000, 1_800_003_600],
    parts: [usage],
    total: usage,
    before: null,
    before_parts: null,
    rows: ROWS[by] ?? [],
    rest: null,
    is_complete: true,
  };
}

const queryOf = (address = "") => Object.fromEntries(new URL(address, "http://a").searchParams);

/** Opens the page of a server whose rows are those of the key that is asked for. */
async function open(address: string, role: number) {
  storeUser({ id: 2, username: "grace", display_name: "", role, status: 1 });
  const sent = stubCalls({
    "GET /api/log/store": { state: "following", progress: 1 },
    "GET /api/dashboard/troubles": { channels: [], sleeping: [], channel_balances: [], user_balances: [] },
    "GET /api/user/7": new Error("There is no such user."),
  });
  const others = globalThis.fetch;
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
    if (!/^\/api\/dashboard\/(?:self)?\?/.test(path)) return await others(path, init);
    sent.push({ method: "GET", address: path, body: undefined });
    const data = dashboardBy(queryOf(path)["by"] ?? "model");
    return Response.json({ success: true, message: "", data });
  });
  const view = await renderPage(<DashboardPage />, {
    address,
    path: "/dashboard",
    texts: ["dashboard", "channel-reasons"],
  });
  const asked = () => queryOf(sent.findLast(({ address: sentTo }) => /dashboard\/(?:self)?\?/.test(sentTo))?.address);
  return { ...view, asked };
}

afterEach(clearUser);

const press = async (name: string | RegExp) => await userEvent.click(await screen.findByRole("button", { name }));

test("a row is opened step by step, each with its own address, and each chip leads back to the list before", async () => {
  const { router, asked } = await open("/dashboard?by=user&range=week", 10);
  await press("By model mia");
  expect(router.state.location.search).toEqual({ range: "week", user: "7" });
  await waitFor(() => expect(asked()).toMatchObject({ by: "model", user: "7", model_name: "", channel: "0" }));
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Only #7"));
  expect(screen.queryByRole("button", { name: "User" }), "of one user").toBeNull();
  await press("By token o3");
  expect(router.state.location.search).toEqual({ range: "week", user: "7", model: "o3", by: "token" });
  await waitFor(() => expect(asked()).toMatchObject({ by: "token", user: "7", model_name: "o3" }));
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Only the model o3"));
  await press("Only the model o3");
  expect(router.state.location.search).toEqual({ range: "week", user: "7" });
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Model"));
  await press("Only #7");
  expect(router.state.location.search).toEqual({ range: "week", by: "user" });
  router.history.back();
  await waitFor(() => expect(router.state.location.search).toEqual({ range: "week", user: "7" }));
});

test("a channel and a model are opened too, and bars and rows lead to the log of what is open", async () => {
  const { router, asked } = await open("/dashboard?by=channel", 10);
  expect(await screen.findByText("No channel")).toBeTruthy();
  expect(screen.getAllByRole("button", { name: /^By model / })).toHaveLength(1);
  await press("By model main");
  await waitFor(() => expect(asked()).toMatchObject({ by: "model", channel: "3" }));
  await press("By user o3");
  expect(router.state.location.search).toEqual({ channel: "3", model: "o3", by: "user" });
  await waitFor(() => expect(asked()).toMatchObject({ by: "user", channel: "3", model_name: "o3" }));
  const link = await screen.findByRole("link", { name: "mia" });
  const scope = { channel: "3", model_name: "o3" };
  expect(queryOf(link.getAttribute("href") ?? "")).toMatchObject({ ...scope, username: "mia" });
  const bar = within(screen.getByRole("figure", { name: "Spend over time" })).getByRole("link");
  expect(queryOf(bar.getAttribute("href") ?? "")).toMatchObject(scope);
});

test("a deleted user can be opened; requests without a model cannot", async () => {
  const { router } = await open("/dashboard?by=user", 10);
  await press("By model Deleted user 8");
  expect(router.state.location.search).toEqual({ user: "8" });
  await screen.findByText("Unnamed");
  expect(screen.getAllByRole("button", { name: /^By token / })).toHaveLength(1);
});

test("users see which of their tokens call a model, and nothing of others", async () => {
  const { router, asked } = await open("/dashboard?channel=3&user=7", 1);
  await press("By token o3");
  expect(router.state.location.search).toMatchObject({ model: "o3", by: "token" });
  await waitFor(() => expect(asked()).toMatchObject({ by: "token", model_name: "o3" }));
  expect(asked()).not.toHaveProperty("channel");
  await screen.findByRole("link", { name: "app" });
  expect(screen.queryByRole("button", { name: /^By .* app$/ }), "nothing is left to break it down by").toBeNull();
  expect(screen.getByRole("button", { name: "Only the model o3" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Only (?:the channel|#)/ })).toBeNull();
});

test("each row tells p50 and p95 of the first token and of the whole answer, tokens a second and cache hits", async () => {
  await open("/dashboard?by=model", 10);
  const cells = within(await screen.findByRole("row", { name: /^o3/ })).getAllByRole("cell");
  const texts = cells.map((cell) => cell.textContent);
  expect(texts).toContain("First token0.42 s p95 2.40 s");
  expect(texts).toContain("Total time6.10 s p95 12.00 s");
  expect(texts).toContain("Tokens/s48.2");
  expect(texts).toContain("Cache hits75.0%");
});

test("the table in place of the chart has times where these are what it shows", async () => {
  await open("/dashboard", 10);
  await press("Table");
  const heads = () =>
    within(screen.getAllByRole("table")[0] ?? document.body)
      .getAllByRole("columnheader")
      .map((head) => head.textContent);
  expect(heads()).not.toContain("First token");
  await press(/^First token/);
  await waitFor(() => expect(heads()).toContain("First token"));
  expect(heads()).toContain("Total time");
});
