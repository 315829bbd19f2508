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

async function open(content: string, answers: Record<string, unknown> = {}, tokensMayCome = Promise.resolve()) {
  stubCalls({
    "GET /api/home_page_content": content,
    "GET /api/status": new Error("none"),
    "GET /api/token/": [],
    "GET /api/channel/": [],
    "GET /api/log/": [],
    "GET /api/log/self/": [],
    ...answers,
  });
  const answer = fetch;
  vi.stubGlobal("fetch", async (address: string, init?: RequestInit) => {
    if (address.startsWith("/api/token/")) await tokensMayCome;
    return answer(address, init);
  });
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
  expect(offered.getByText("$0.02 / –")).toBeTruthy();
  expect(offered.queryByText("picture")).toBeNull();
  expect(offered.getByRole("link", { name: "All prices" }).getAttribute("href")).toBe("/pricing");
  expect(screen.getByRole("link", { name: "Create an account" }).getAttribute("href")).toBe("/register");
});

test("the example of a call comes with the first steps, which would push it down", async () => {
  storeUser({ id: 1, username: "root", display_name: "Root", role: 100, status: 1 });
  const gate = Promise.withResolvers<void>();
  await open("", {}, gate.promise);
  expect(await screen.findByText("Status")).toBeDefined();
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
  const step = await screen.findByRole("link", { name: /Get balance/ });
  expect(step.getAttribute("href")).toBe("/topup");
  expect(within(step).getByRole("img", { name: state })).toBeDefined();
});

test("[PAGE-01] [PAGE-02] a home page takes the welcome's place", async () => {
  await open("# Our gateway");
  expect(await screen.findByRole("heading", { name: "Our gateway" })).toBeDefined();
  expect(screen.queryByText("Status")).toBeNull();
});
