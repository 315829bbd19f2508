import type { OfferedPrice } from "@one-api/contract/prices/pricing";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { clearUser, storeUser } from "../../lib/state/session.ts";
import { setScreenWidth } from "../../testing/screen-width.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import PricingPage from "./pricing-page.tsx";

const price: OfferedPrice = {
  model: "gpt-4o",
  types: [1],
  group: "default",
  group_ratio: 1,
  input: 2.5,
  output: 10,
  cached_input: 1.25,
  cache_write: null,
  audio_input: null,
  audio_output: null,
  image_input: null,
  reasoning: null,
  long_prompt: null,
  web_search: null,
  context_tokens: 128_000,
  max_output_tokens: 16_384,
  abilities: ["images", "tools"],
};
const prices = [
  price,
  { ...price, model: "gpt-4o-mini", input: 0.15, output: 0.6, cached_input: 0.075 },
  { ...price, model: "claude-opus-4-5", types: [14], input: 5, output: 25, cached_input: null, context_tokens: null },
];

afterEach(clearUser);

async function open(address = "/pricing", listed = prices) {
  stubCalls({ "GET /api/pricing": listed });
  const view = await renderPage(<PricingPage />, { address, path: "/pricing", texts: ["pricing"] });
  await screen.findByText("gpt-4o-mini");
  return view;
}

const models = () =>
  screen
    .getAllByRole("row")
    .slice(1)
    .map((row) => row.getAttribute("data-row")?.split(" ")[0]);

test("everybody sees what models cost, in dollars per million tokens, and what they can do", async () => {
  await open();
  const row = within(screen.getByRole("row", { name: /gpt-4o-mini/ }));
  for (const text of ["OpenAI", "$0.15", "$0.60", "$0.075", "128K", "image input"])
    expect(row.getByText(text)).toBeDefined();
});

test("what long prompts cost has a column where some model takes more for them", async () => {
  const { unmount } = await open();
  expect(screen.queryByText("Long prompts")).toBeNull();
  unmount();
  const long = { ...price, model: "gpt-5.4", long_prompt: { above: 272_000, input: 5, output: 22.5 } };
  await open("/pricing", [...prices, long]);
  expect(screen.getByRole("row", { name: /gpt-5\.4/ }).textContent).toContain("$5.00 / $22.50 > 272,000");
});

test("what is priced by pictures, characters or minutes says so", async () => {
  const of = (model: string, unit: "image" | "character" | "second", dollars: number) => ({
    ...price,
    model,
    unit_price: { unit, dollars },
  });
  stubCalls({
    "GET /api/pricing": [of("dall-e-3", "image", 0.04), of("tts-1", "character", 15), of("whisper-1", "second", 0.006)],
  });
  await renderPage(<PricingPage />, { address: "/pricing", path: "/pricing", texts: ["pricing"] });
  for (const [model, text] of [
    ["dall-e-3", "$0.04 per image"],
    ["tts-1", "$15.00 per million characters"],
    ["whisper-1", "$0.0060 per minute"],
  ] as const) {
    const row = await screen.findByRole("row", { name: new RegExp(model) });
    expect(row.textContent).toContain(text);
    expect(row.textContent).not.toContain("$10");
  }
});

test("a model that gives no tokens back has no price of them, and comes after those that have one", async () => {
  const vectors = {
    ...price,
    model: "embedding",
    input: 0.02,
    output: 0,
    cached_input: null,
    input_only: true as const,
  };
  await open("/pricing", [vectors, ...prices]);
  const row = within(screen.getByRole("row", { name: /embedding/ }));
  expect(row.getByText("$0.02")).toBeTruthy();
  expect(row.queryByText("$0.00")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Output" }));
  await waitFor(() => expect(models()).toEqual(["gpt-4o-mini", "gpt-4o", "claude-opus-4-5", "embedding"]));
});

test("a model without a known price is marked beside its fallback price", async () => {
  await open("/pricing", [...prices, { ...price, model: "home-grown", input: 60, output: 60, is_unpriced: true }]);
  expect(within(screen.getByRole("row", { name: /home-grown/ })).getByText("Fallback price")).toBeTruthy();
  expect(within(screen.getByRole("row", { name: /gpt-4o-mini/ })).queryByText("Fallback price")).toBeNull();
});

test("models are found by name, sorted by price and narrowed down to a provider", async () => {
  await open();
  await userEvent.click(screen.getByRole("button", { name: "Output" }));
  await waitFor(() => expect(models()).toEqual(["gpt-4o-mini", "gpt-4o", "claude-opus-4-5"]));
  await userEvent.type(screen.getByRole("searchbox", { name: "Search models" }), "GPT-4O");
  await waitFor(() => expect(models()).toEqual(["gpt-4o-mini", "gpt-4o"]));
});

test("a provider in the address narrows the list down", async () => {
  stubCalls({ "GET /api/pricing": prices });
  await renderPage(<PricingPage />, {
    address: "/pricing?provider=Anthropic%20Claude",
    path: "/pricing",
    texts: ["pricing"],
  });
  await screen.findByText("claude-opus-4-5");
  expect(models()).toEqual(["claude-opus-4-5"]);
});

test.each([
  ["ability=reasoning", ["thinker"]],
  ["context=200000", ["thinker"]],
  ["price=3", ["gpt-4o", "gpt-4o-mini"]],
  ["ability=tools&price=0.5", ["gpt-4o-mini"]],
])("the filters %s leave %j", async (filters, left) => {
  const thinker = {
    ...price,
    model: "thinker",
    input: 15,
    context_tokens: 1_000_000,
    abilities: ["reasoning" as const],
  };
  const drawer = { ...price, model: "drawer", unit_price: { unit: "image" as const, dollars: 0.04 }, abilities: [] };
  stubCalls({ "GET /api/pricing": [...prices, thinker, drawer] });
  await renderPage(<PricingPage />, { address: `/pricing?${filters}`, path: "/pricing", texts: ["pricing"] });
  await screen.findByText(left[0] ?? "");
  expect(models()).toEqual(left);
});

test("cards of narrow screens leave out what a model has no price of, and what no list says", async () => {
  setScreenWidth(360);
  await open();
  const labelsOf = (model: string) =>
    [...(screen.getByText(model).closest("li")?.querySelectorAll("dt") ?? [])].map(({ textContent }) => textContent);
  expect(labelsOf("gpt-4o-mini")).toEqual(["Input", "Output", "Cached input"]);
  expect(labelsOf("claude-opus-4-5")).toEqual(["Input", "Output"]);
  expect(screen.getByText("gpt-4o-mini").closest("li")?.textContent).toContain("128K Context");
});

test.each([
  [10, "/setting/ratios"],
  [1, undefined],
])("role %i is led to where prices are changed: %s", async (role, address) => {
  storeUser({ id: 2, username: "ada", display_name: "", role, status: 1 });
  await open();
  expect(screen.queryByRole("link", { name: "Change prices" })?.getAttribute("href")).toBe(address);
});
