import type { AlertRule } from "@one-api/contract/notifications/alert-rule";
import type { Usage } from "@one-api/contract/usage/dashboard";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
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

const dashboard = {
  edges: [1_800_000_000, 1_800_086_400, 1_800_172_800],
  parts: [usage, { ...usage, quota: 2_500_000 }],
  total: usage,
  before: null,
  before_parts: null,
  rows: [],
  rest: null,
  is_complete: true,
};

const rule: AlertRule = {
  id: 4,
  metric: "spend",
  direction: "above",
  threshold: 2_000_000,
  window_minutes: 1_440,
  receiver: 7,
  user: 0,
  channel: 0,
  model_name: "",
  token_name: "",
  alias: "",
  username: "",
  channel_name: "",
  receiver_name: "Ops room",
  owner: "grace",
  is_own: true,
  crossed_at: 0,
};

const TARGETS = { email: "", can_mail: false, receivers: [{ id: 7, name: "Ops room", kind: "slack" }] };

async function open(address: string, role: number, answers: Record<string, unknown> = {}) {
  storeUser({ id: 2, username: "grace", display_name: "", role, status: 1 });
  const sent = stubCalls({
    "GET /api/log/store": { state: "following", progress: 1 },
    "GET /api/dashboard/": dashboard,
    "GET /api/dashboard/self": dashboard,
    "GET /api/dashboard/troubles": { channels: [], sleeping: [], channel_balances: [], user_balances: [] },
    "GET /api/dashboard/marks": { price_changes: [], decisions: [] },
    "GET /api/log/histogram": [],
    "GET /api/log/self/histogram": [],
    "GET /api/alert-rule/": [],
    "GET /api/alert-rule/target": TARGETS,
    "POST /api/alert-rule/": rule,
    "PUT /api/alert-rule/": rule,
    ...answers,
  });
  await renderPage(<DashboardPage />, { address, path: "/dashboard", texts: ["dashboard", "channel-reasons"] });
  return sent;
}

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));
const bodyOf = (sent: Awaited<ReturnType<typeof open>>, method: string) =>
  sent.find((call) => call.method === method && call.address === "/api/alert-rule/")?.body;

afterEach(clearUser);

test("an alert is set on what the chart shows, at a suggested threshold that its line moves", async () => {
  const sent = await open("/dashboard?model=o3", 10);
  await press("Set an alert");
  const dialog = within(await screen.findByRole("dialog", { name: "Set an alert" }));
  expect(dialog.getByText("Model o3")).toBeTruthy();
  const line = await dialog.findByRole("slider", { name: "Threshold" });
  expect(line.getAttribute("aria-valuetext")).toBe("$6.00");
  expect(dialog.getByText("Not crossed in the last 30 days.")).toBeTruthy();
  for (let presses = 0; presses < 15; presses += 1) fireEvent.keyDown(line, { key: "ArrowDown" });
  expect(await dialog.findByText("Crossed once in the last 30 days.")).toBeTruthy();
  const threshold = dialog.getByRole("textbox", { name: "Threshold" });
  await userEvent.clear(threshold);
  await userEvent.click(dialog.getByRole("button", { name: "Set alert" }));
  expect(await dialog.findByText("Enter a threshold that can be crossed.")).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(threshold));
  await userEvent.type(threshold, "3");
  await userEvent.click(dialog.getByRole("button", { name: "Set alert" }));
  const watched = { user: 0, channel: 0, model_name: "o3", token_name: "", alias: "" };
  const input = { metric: "spend", direction: "above", threshold: 1_500_000, window_minutes: 1_440, receiver: 7 };
  await waitFor(() => expect(bodyOf(sent, "POST")).toEqual({ ...input, ...watched }));
});

test("the alerts of a chart are listed below it, and a press changes one", async () => {
  const crossed = { ...rule, id: 5, threshold: 1, crossed_at: 1_800_000_000 };
  const sent = await open("/dashboard", 10, {
    "GET /api/alert-rule/": [rule, crossed, { ...rule, id: 6, metric: "errors" }, { ...rule, id: 8, model_name: "o3" }],
  });
  const list = await screen.findByRole("list", { name: "Alerts of this chart" });
  const texts = within(list)
    .getAllByRole("button")
    .map(({ textContent }) => textContent);
  expect(texts[0]).toBe("Spend above $4.00 in 24 hours");
  expect(texts[1]).toMatch(/^Spend above \$0\.0000020 in 24 hours · since 2027-/);
  expect(texts).toHaveLength(2);
  await press("Spend above $4.00 in 24 hours");
  const dialog = within(await screen.findByRole("dialog", { name: "Edit alert" }));
  await userEvent.click(await dialog.findByRole("button", { name: "Save alert" }));
  await waitFor(() => expect(bodyOf(sent, "PUT")).toMatchObject({ id: 4, threshold: 2_000_000, receiver: 7 }));
});

test("a deleted alert is set again by Undo", async () => {
  const sent = await open("/dashboard", 10, { "GET /api/alert-rule/": [rule], "DELETE /api/alert-rule/4": null });
  await press("Spend above $4.00 in 24 hours");
  await press("Delete alert");
  expect(await screen.findByText("Alert deleted")).toBeTruthy();
  await press("Undo");
  const { metric, direction, threshold, window_minutes, receiver } = rule;
  const watched = { user: 0, channel: 0, model_name: "", token_name: "", alias: "" };
  const input = { metric, direction, threshold, window_minutes, receiver, ...watched };
  await waitFor(() => expect(bodyOf(sent, "POST")).toEqual(input));
});

test("without a receiver and without mail the dialog says what to do", async () => {
  await open("/dashboard", 1, { "GET /api/alert-rule/target": { email: "", can_mail: true, receivers: [] } });
  await press("Set an alert");
  expect(await screen.findByText(/Your account has no email address\./)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Add an address" }).getAttribute("href")).toBe("/setting");
  expect(screen.getByRole("button", { name: "Set alert" }).hasAttribute("disabled")).toBe(true);
});

test("small charts have alerts of their own, and users none on margins", async () => {
  await open("/dashboard", 1, { "GET /api/alert-rule/target": { ...TARGETS, email: "g@example.com", can_mail: true } });
  await press("Set an alert on First token");
  const dialog = within(await screen.findByRole("dialog"));
  const metric = dialog.getByRole("combobox", { name: "Metric" });
  expect(metric).toHaveProperty("value", "First token, p95");
  expect(await dialog.findByRole("textbox", { name: "Threshold" })).toHaveProperty("value", "2.9 s");
  await userEvent.click(metric);
  expect((await screen.findAllByRole("option")).map(({ textContent }) => textContent)).not.toContain("Margin");
});
