import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { clearUser, storeUser } from "../../lib/state/session.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import HomePage from "./home-page.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  clearUser();
});

async function open(content: string, answers: Record<string, unknown> = {}) {
  stubCalls({
    "GET /api/home_page_content": content,
    "GET /api/status": new Error("none"),
    "GET /api/token/": [],
    "GET /api/channel/": [],
    "GET /api/log/": [],
    "GET /api/log/self/": [],
    ...answers,
  });
  await renderPage(<HomePage />, { texts: ["home"] });
}

test("[PAGE-04] without a home page visitors are welcomed with the status of the system", async () => {
  await open("");
  expect(await screen.findByRole("heading", { level: 1, name: "One API" })).toBeDefined();
  expect(screen.getByText("Status")).toBeDefined();
  expect(screen.getByRole("link", { name: "Log in" }).getAttribute("href")).toBe("/login");
});

test("[PAGE-04] root is shown the first steps", async () => {
  storeUser({ id: 1, username: "root", display_name: "Root", role: 100, status: 1 });
  await open("");
  expect(await screen.findByRole("heading", { level: 1, name: "Welcome, Root" })).toBeDefined();
  const steps = within((await screen.findByText("First steps")).closest("section") ?? document.body);
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
  const step = await screen.findByRole("link", { name: /Get quota/ });
  expect(step.getAttribute("href")).toBe("/topup");
  expect(within(step).getByRole("img", { name: state })).toBeDefined();
});

test("[PAGE-01] [PAGE-02] a home page takes the welcome's place", async () => {
  await open("# Our gateway");
  expect(await screen.findByRole("heading", { name: "Our gateway" })).toBeDefined();
  expect(screen.queryByText("Status")).toBeNull();
});
