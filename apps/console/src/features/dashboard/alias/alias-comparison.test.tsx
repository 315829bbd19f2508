import type { AliasComparison as Comparison, Usage } from "@one-api/contract/usage/dashboard";
import { screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { clearUser, storeUser } from "../../../lib/state/session.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { stubCalls } from "../../../testing/stub-calls.ts";
import AliasComparison from "./alias-comparison.tsx";

afterEach(clearUser);

const usage = (changes: Partial<Usage>): Usage => ({
  requests: 0,
  errors: 0,
  refused: 0,
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  cached_tokens: 0,
  first_byte_p50_ms: null,
  first_byte_p95_ms: null,
  first_byte_p99_ms: null,
  total_p50_ms: null,
  total_p95_ms: null,
  total_p99_ms: null,
  tokens_per_second: null,
  cost: 0,
  unknown_cost_requests: 0,
  unknown_cost_quota: 0,
  ...changes,
});

const first = usage({ requests: 900, quota: 450_000, prompt_tokens: 80_000, completion_tokens: 10_000, cost: 225_000 });
const second = usage({ requests: 100, errors: 2, quota: 100_000, prompt_tokens: 8_000, completion_tokens: 1_000 });

const COMPARISON: Comparison = {
  models: [
    {
      model: "o3",
      weight: 0.9,
      is_listed: true,
      usage: { ...first, first_byte_p50_ms: 500, first_byte_p95_ms: 900, unknown_cost_requests: 450 },
      failed_over: 100,
    },
    {
      model: "gpt-4.1",
      weight: 0.1,
      is_listed: true,
      usage: { ...second, first_byte_p50_ms: 250, first_byte_p95_ms: 400, cost: 60_000 },
      failed_over: 0,
    },
    { model: "old", weight: null, is_listed: false, usage: usage({ requests: 7 }), failed_over: 0 },
  ],
  is_complete: true,
};

async function show(comparison: Comparison) {
  storeUser({ id: 2, username: "grace", display_name: "", role: 10, status: 1 });
  const sent = stubCalls({ "GET /api/dashboard/alias": comparison });
  const search = { alias: "fast", channel: 3 };
  const edges = [1_800_000_000, 1_800_003_600];
  const page = <AliasComparison search={search} edges={edges} logFilter={{ alias: ["fast"], channel: [3] }} />;
  await renderPage(page, { address: "/dashboard", texts: ["dashboard"] });
  return sent;
}

const cellsOf = async (name: RegExp) =>
  within(await screen.findByRole("row", { name }))
    .getAllByRole("cell")
    .map((cell) => cell.textContent);

test("each model of an alias has its figures, and differences to the first one", async () => {
  const sent = await show(COMPARISON);
  expect(await cellsOf(/^o3/)).toEqual([
    "Requests900 89.4% of requests, 90.0% set",
    "Error rate10.00% 100 requests went on to another model",
    "First token0.50 s p95 0.90 s",
    "Tokens per request100",
    "Cost per request$0.0010",
    "Spend$0.90 $0.0010 per request",
  ]);
  const cells = await cellsOf(/^gpt-4\.1/);
  expect(cells[0]).toBe("Requests100 9.9% of requests, 10.0% set");
  expect(cells[1]).toBe("Error rate2.00%↓ 8 pts8 points below o3 o3: 10.00%");
  expect(cells[2]).toContain("↓ 50%");
  expect(cells[3]).toContain("↓ 10%");
  expect(cells[4]).toContain("↑ 20%");
  expect(cells[5]).toContain("↑ 100%");
  expect(sent[0]?.address).toContain("alias=fast");
  expect(sent[0]?.address).toContain("channel=3");
  const link = screen.getByRole("link", { name: "gpt-4.1" }).getAttribute("href") ?? "";
  const query = Object.fromEntries(new URL(link, "http://a").searchParams);
  expect(query).toMatchObject({ alias: "fast", model_name: "gpt-4.1", channel: "3", end_timestamp: "1800003599" });
});

test("a model that the alias no longer lists is named as such, and too few requests to compare are pointed out", async () => {
  await show(COMPARISON);
  expect(within(await screen.findByRole("row", { name: /^old/ })).getByText("No longer in the alias")).toBeTruthy();
  expect(screen.getByText(/^Too few to compare: old has fewer than 100 requests/)).toBeTruthy();
});

test("without requests it says so", async () => {
  await show({
    models: [{ model: "o3", weight: null, is_listed: true, usage: usage({}), failed_over: 0 }],
    is_complete: true,
  });
  expect(await screen.findByText("No requests for this alias in this period")).toBeTruthy();
});
