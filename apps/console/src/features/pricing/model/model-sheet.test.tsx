import { ROLE } from "@one-api/contract/accounts/roles";
import type { OfferedPrice } from "@one-api/contract/prices/pricing";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { clearUser, storeUser } from "../../../lib/state/session.ts";
import { restoreStatus } from "../../../lib/state/stored-status.ts";
import { STORAGE_KEY } from "../../../lib/state/storage-keys.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { stubCalls } from "../../../testing/stub-calls.ts";
import PricingPage from "../pricing-page.tsx";

const price: OfferedPrice = {
  model: "gpt-4o",
  types: [1],
  group: "default",
  group_ratio: 0.5,
  input: 2.5,
  output: 10,
  cached_input: 1.25,
  cache_write: 3,
  audio_input: 40,
  audio_output: null,
  image_input: null,
  reasoning: null,
  long_prompt: { above: 200_000, input: 5, output: 15 },
  long_prompts: [
    { above: 200_000, input: 5, output: 15 },
    { above: 400_000, input: 7, output: 20 },
  ],
  tiers: { flex: 0.5 },
  web_search: 0.01,
  context_tokens: 128_000,
  max_output_tokens: 16_384,
  abilities: ["images", "tools"],
};
const azure = { ...price, types: [3], input: 3 };
const drawer: OfferedPrice = {
  ...price,
  model: "dall-e-3",
  unit_price: { unit: "image", dollars: 0.04 },
  abilities: [],
};

const usage = { requests: 200, errors: 1, refused: 0, quota: 0, prompt_tokens: 0, completion_tokens: 0 };
const times = { first_byte_p50_ms: 420, first_byte_p95_ms: 2_400, first_byte_p99_ms: 5_000 };
const ofAnswers = { total_p50_ms: null, total_p95_ms: null, total_p99_ms: null, tokens_per_second: null };
const total = { ...usage, ...times, ...ofAnswers, cached_tokens: 0 };
const week = {
  edges: [0, 1],
  parts: [total],
  total,
  before: null,
  before_parts: null,
  rows: [],
  rest: null,
  is_complete: true,
};

function logIn(role: number) {
  storeUser({ id: 2, username: "ada", display_name: "", role, status: 1 });
}

function publishStatus() {
  localStorage.setItem(STORAGE_KEY.status, JSON.stringify({ status_page_enabled: true }));
  restoreStatus();
}

afterEach(() => {
  clearUser();
  localStorage.clear();
  restoreStatus();
});

async function open(address: string, more: Record<string, unknown> = {}) {
  const sent = stubCalls({ "GET /api/pricing": [price, drawer], ...more });
  const view = await renderPage(<PricingPage />, { address, path: "/pricing", texts: ["pricing"] });
  return { sent, ...view };
}

const sheetOf = async (name: string) => within(await screen.findByRole("dialog", { name }));

/** The lines of a list of terms, in their order. */
const linesIn = (sheet: HTMLElement) =>
  [...sheet.querySelectorAll("dt")].map(
    (term) => `${term.textContent}: ${term.nextElementSibling?.textContent?.trim()}`,
  );

test("a pressed row opens its model at an address of its own, and Back closes it", async () => {
  const { router } = await open("/pricing");
  const row = within(await screen.findByRole("row", { name: /gpt-4o/ }));
  await userEvent.click(row.getByText("OpenAI"));
  await sheetOf("gpt-4o");
  expect(router.state.location.href).toBe("/pricing?open=gpt-4o");
  router.history.back();
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "gpt-4o" })).toBeNull());
});

test("an address opens the model with every kind of price, its groups, context and capabilities", async () => {
  await open("/pricing?open=gpt-4o");
  await (await sheetOf("gpt-4o")).findByText("Context");
  const sheet = screen.getByRole("dialog", { name: "gpt-4o" });
  expect(linesIn(sheet)).toEqual([
    "Context: 128,000 tokens",
    "Max output: 16,384 tokens",
    "Capabilities: image inputtools",
    "Input: $2.50",
    "Output: $10.00",
    "Cached input: $1.25",
    "Cache write: $3.00",
    "Audio in: $40.00",
    "Web search: $0.01 per search",
    "Prompts over 200,000 tokens: $5.00 / $15.00 input / output",
    "Prompts over 400,000 tokens: $7.00 / $20.00 input / output",
    "Tier flex: $1.25 / $5.00 ×0.5",
  ]);
  expect(sheet.textContent).toContain(
    "USD per million tokens · Without an account you see the prices of group default (×0.5).",
  );
});

test("a model priced by images has one price with its unit, and its own call", async () => {
  logIn(ROLE.user);
  await open("/pricing?open=dall-e-3");
  const sheet = await sheetOf("dall-e-3");
  expect(await sheet.findByText("$0.04")).toBeTruthy();
  expect(sheet.getByText("per image")).toBeTruthy();
  expect(sheet.queryByText("$10.00")).toBeNull();
  expect(sheet.getByText(/images\/generations/)).toBeTruthy();
  expect(sheet.queryByRole("link", { name: "Open in playground" })).toBeNull();
});

test("different prices of one model stand under their providers", async () => {
  await open("/pricing?open=gpt-4o", { "GET /api/pricing": [price, azure] });
  const sheet = await sheetOf("gpt-4o");
  const headings = await sheet.findAllByRole("heading", { level: 4 });
  expect(
    headings.map(({ textContent, nextElementSibling: list }) => [textContent, list?.querySelector("dd")?.textContent]),
  ).toEqual([
    ["OpenAI", "$2.50"],
    ["Azure OpenAI", "$3.00"],
  ]);
});

test("the model is called in three languages, and opened in the playground", async () => {
  logIn(ROLE.user);
  const { sent } = await open("/pricing?open=gpt-4o");
  const sheet = await sheetOf("gpt-4o");
  expect(await sheet.findByText(/curl .*chat\/completions/s)).toBeTruthy();
  for (const [language, text] of [
    ["Python", /model="gpt-4o"/],
    ["JavaScript", /model: "gpt-4o"/],
  ] as const) {
    // prettier-ignore
    await userEvent.click(sheet.getByRole("button", { name: language }));
    expect(sheet.getByRole("group", { name: "Code" }).textContent).toMatch(text);
  }
  const link = sheet.getByRole("link", { name: "Open in playground" });
  expect(link.getAttribute("href")).toBe("/playground?model=gpt-4o");
  expect(sheet.queryByRole("link", { name: "Change the price" })).toBeNull();
  expect(sent.map(({ address }) => address)).toEqual(["/api/pricing"]);
});

test("uptime and first token come from the published status page", async () => {
  publishStatus();
  const span = { availability: 0.99876, state: "works", ...times };
  const models = [{ model: "gpt-4o", day: span, week: span, month: span, days: [], day_states: [] }];
  const { sent } = await open("/pricing?open=gpt-4o", { "GET /api/availability": { at: 1_800_000_000, models } });
  const sheet = await sheetOf("gpt-4o");
  expect(await sheet.findByText("99.87%")).toBeTruthy();
  expect([sheet.getByText("0.42 s"), sheet.getByText("2.40 s")]).toHaveLength(2);
  expect(sent.some(({ address }) => address.startsWith("/api/dashboard"))).toBe(false);
});

test("administrators see uptime without a status page, coming prices in the group's money, channels, and where to change the price", async () => {
  logIn(ROLE.admin);
  const plain = { unit: "token", input: 2, output: 8 };
  const effect = { before: 0, after: 0 };
  const coming = { at: 1_900_000_000, source: "option", before: plain, effect };
  await open("/pricing?open=gpt-4o", {
    "GET /api/dashboard/": week,
    "GET /api/pricing/coming": [
      { ...coming, model: "gpt-4o", after: { unit: "token", input: 4, output: 16 } },
      { ...coming, model: "gpt-4o-mini", after: { unit: "token", input: 9, output: 9 } },
    ],
    "GET /api/channel/search": [
      { id: 4, name: "main", type: 1, status: 1, models: "gpt-4o,o3" },
      { id: 5, name: "mini only", type: 1, status: 1, models: "gpt-4o-mini" },
      { id: 6, name: "spare", type: 3, status: 2, models: "gpt-4o" },
    ],
  });
  const sheet = await sheetOf("gpt-4o");
  expect(await sheet.findByText("99.50%")).toBeTruthy();
  expect(await sheet.findByText("$2.00 / $8.00")).toBeTruthy();
  expect(sheet.queryByText("$4.50 / $4.50")).toBeNull();
  expect((await sheet.findByRole("link", { name: "main" })).getAttribute("href")).toBe("/channel/4");
  expect(sheet.getByRole("link", { name: "spare" }).closest("li")?.textContent).toContain("Manually disabled");
  expect(sheet.queryByRole("link", { name: "mini only" })).toBeNull();
  const change = sheet.getByRole("link", { name: "Change the price" });
  expect(change.getAttribute("href")).toBe("/setting/ratios?price=gpt-4o");
});

test("a model that is not offered says so", async () => {
  await open("/pricing?open=nothing");
  expect((await sheetOf("nothing")).getByText(/not available to you/)).toBeTruthy();
});
