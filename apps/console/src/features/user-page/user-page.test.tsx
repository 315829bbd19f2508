import { notifications } from "@mantine/notifications";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { formatDate } from "../../lib/format.ts";
import { clearUser, storeUser } from "../../lib/state/session.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import { sampleUser } from "../users/testing/sample-user.ts";
import UserPage from "./user-page.tsx";

const DAY = 86_400;
const now = Math.floor(Date.now() / 1_000);
const days = 30;
const usage = { requests: 300, errors: 3, quota: 7_500_000 };
const dashboard = {
  edges: Array.from({ length: days + 1 }, (_edge, day) => now - (days - day) * DAY),
  parts: Array.from({ length: days }, () => ({ quota: 250_000, requests: 10 })),
  total: usage,
  before: null,
  rows: [{ key: "gpt-4o", name: "gpt-4o", owner: "", parts: Array.from({ length: days }, () => ({ quota: 250_000 })) }],
  rest: null,
  is_complete: true,
};
const token = { id: 3, name: "batch", status: 1, accessed_time: now, remain_quota: 500_000, used_quota: 250_000 };
const request = {
  id: 40,
  user_id: 7,
  type: 2,
  username: "grace",
  model_name: "gpt-4o",
  token_name: "batch",
  result: "ok",
};
const topUp = {
  id: 41,
  type: 1,
  created_at: now,
  event: { code: "code-redeemed", values: { name: "Spring", quota: 500_000 } },
};
const login = { id: 50, action: "session.start", actor_id: 7, actor_name: "grace", object: "user:7", created_at: now };
const change = { id: 51, action: "user.update", actor_id: 1, actor_name: "root", object: "user:7", created_at: now };

const answers = {
  "GET /api/user/7": sampleUser({ quota: 3_500_000 }),
  "GET /api/dashboard/": dashboard,
  "GET /api/user/7/token": [token],
  "GET /api/log/?username=grace&type=2&size=10": [request],
  "GET /api/log/?username=grace&type=1&size=10": [topUp],
  "GET /api/audit/?actor=grace&size=10": [login],
  "GET /api/audit/?object=user%3A7&size=10": [change, login],
};

const open = () =>
  renderPage(<UserPage />, {
    path: "/user/$id",
    address: "/user/7",
    texts: ["user-page", "users", "dashboard", "tokens", "logs", "channel-reasons", "limits", "budgets"],
  });

const card = async (name: string) => within(await screen.findByRole("region", { name }));

beforeEach(() => storeUser({ id: 1, username: "root", display_name: "", role: 100, status: 1 }));
afterEach(() => {
  clearUser();
  notifications.clean();
});

test("the page tells what a user has and how long it lasts, spends, calls with, got, did and suffered", async () => {
  stubCalls(answers);
  await open();
  expect(await screen.findByRole("heading", { level: 1, name: "Grace Hopper" })).toBeTruthy();
  // $7.00 at $0.50 a day.
  expect(await screen.findByText(`Lasts until about ${formatDate(now + 14 * DAY)}`)).toBeTruthy();
  expect(screen.getByText("3 of 300 failed")).toBeTruthy();
  const tokens = await card("1 token");
  expect(tokens.getByRole("link", { name: "batch" }).getAttribute("href")).toBe("/log?username=grace&token_name=batch");
  expect(tokens.getByText("$0.50 of $1.50")).toBeTruthy();
  expect(within(await screen.findByRole("figure", { name: "Spend over time" })).getAllByRole("link")).toHaveLength(
    days,
  );
  expect((await card("Recent requests")).getByText("gpt-4o")).toBeTruthy();
  expect((await card("Top-ups")).getByText(/Spring/)).toBeTruthy();
  const audit = await card("Audit and logins");
  const changes = await audit.findAllByRole("listitem");
  expect(changes.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining("User changed"),
    expect.stringContaining("Logged in"),
  ]);
  expect(audit.getByText("by root")).toBeTruthy();
});

test("balance is added from the page, above 0 only", async () => {
  const sent = stubCalls(answers);
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Add balance" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Add balance to grace" }));
  await userEvent.click(dialog.getByRole("button", { name: "Add balance" }));
  expect(await dialog.findByText("Enter an amount above 0.")).toBeTruthy();
  await userEvent.type(dialog.getByRole("textbox", { name: /^Amount/ }), "2");
  expect(dialog.getByText("Balance after: $9.00")).toBeTruthy();
  await userEvent.click(dialog.getByRole("button", { name: "Add balance" }));
  expect(await screen.findByText("$2.00 added to grace")).toBeTruthy();
  expect(sent.filter(({ method }) => method === "POST").map(({ body }) => body)).toEqual([
    { user_id: 7, quota: 1_000_000, remark: "" },
  ]);
});

test("disabling shows on the page, and a deletion leads back to the list", async () => {
  const stubs: Record<string, unknown> = { ...answers, "POST /api/user/manage": { role: 1, status: 2 } };
  stubCalls(stubs);
  const { router } = await open();
  const toggle = await screen.findByRole("button", { name: "Disable" });
  stubs["GET /api/user/7"] = sampleUser({ status: 2 });
  await userEvent.click(toggle);
  expect(await screen.findByText("Banned")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "More actions" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Delete" }));
  await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/user"));
});
