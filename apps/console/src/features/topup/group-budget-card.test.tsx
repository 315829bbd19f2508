import { QueryClient } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { periodEnd } from "@one-api/contract/budget";
import { LOG_TYPE } from "@one-api/contract/constants";
import { formatTime } from "../../lib/format.ts";
import { loadTexts } from "../../lib/i18n/i18n.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import { logOf } from "../logs/testing/serve-logs.tsx";
import { sampleUser } from "../users/testing/sample-user.ts";
import { BalanceNotice } from "./balance-notice.tsx";
import { groupRefusalQuery } from "./group-refusal-query.ts";

const NOW = 1_795_953_600;
const RENEWS = periodEnd("monthly", NOW);

beforeEach(async () => {
  vi.spyOn(Date, "now").mockReturnValue(NOW * 1_000);
  // The page loads it later; here it is there from the beginning, however slow the machine.
  await Promise.all([import("./group-budget-card.tsx"), loadTexts(["topup", "budgets", "logs"])]);
});
afterEach(() => vi.restoreAllMocks());

interface Shown {
  used: number;
  refused?: { needed: number; whose?: "account" | "group"; group?: string };
}

async function show({ used, refused }: Shown) {
  const values = refused && { whose: "group" as const, left: 0, amount: 50_000_000, renews_at: RENEWS, ...refused };
  const log = logOf({
    created_at: NOW - 60,
    detail: {
      end: "refused",
      refusal: "budget_exceeded",
      refusal_values: values,
      upstream_model: "",
      first_byte_ms: 0,
      attempts: [],
    },
  });
  const own = { group: "team", budget: { quota: 50_000_000, period: "monthly" as const, used, renews_at: RENEWS } };
  const sent = stubCalls({
    "GET /api/user/self": { ...sampleUser(), group_budget: own },
    "GET /api/log/self/": refused === undefined ? [] : [log],
  });
  await renderPage(<BalanceNotice />, { texts: ["topup"] });
  const region = await screen.findByRole("region", { name: "Budget of group team" });
  await vi.waitFor(() => expect(sent.some(({ address }) => address.startsWith("/api/log/self/"))).toBe(true));
  return { own, region, sent };
}

test("members see what is left of their group's budget, and until when", async () => {
  const { region, sent } = await show({ used: 12_500_000 });
  expect(region.textContent).toMatch(/\$75\.00.*\$100\.00 monthly.*resets 2026-1[12]-/);
  expect(screen.getByRole("progressbar", { name: "$25.00 of $100.00 used" })).toBeTruthy();
  const query = new URLSearchParams(
    sent.find(({ address }) => address.startsWith("/api/log/self/"))?.address.split("?")[1],
  );
  expect([query.get("type"), query.get("result"), query.get("start_timestamp")]).toEqual([
    String(LOG_TYPE.consumption),
    "over-budget",
    String(Date.UTC(2026, 10, 1) / 1_000),
  ]);
});

test("a used up budget says when requests are served again, and who can raise it", async () => {
  const { region } = await show({ used: 50_000_001 });
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("The group's budget is used up");
  expect(alert.textContent).toContain(`until it resets at ${formatTime(RENEWS)}. Your administrator can raise it.`);
  expect(region.textContent).toMatch(/\$0\.00.*\$100\.00/);
});

test("a request that did not fit says so, with the remedy and its entries in the log", async () => {
  await show({ used: 49_000_000, refused: { needed: 5_000_000, group: "team" } });
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("The group's budget does not cover requests of up to $10.00");
  expect(alert.textContent).toMatch(/Lower max_tokens or shorten the prompt.*Last rejected.*ago/);
  const link = screen.getByRole("link", { name: "Rejected requests" });
  expect(link.getAttribute("href")).toContain("over-budget");
});

test("refusals of other budgets, and of an earlier group, warn of nothing", async () => {
  const answerTo = async (refused: NonNullable<Shown["refused"]>) => {
    const { own } = await show({ used: 49_000_000, refused });
    document.body.replaceChildren();
    return new QueryClient().fetchQuery(groupRefusalQuery(own));
  };
  expect(await answerTo({ needed: 5_000_000, whose: "account" })).toBeNull();
  expect(await answerTo({ needed: 5_000_000, group: "old" })).toBeNull();
  expect(await answerTo({ needed: 5_000_000, group: "team" })).toEqual({ at: NOW - 60, needed: 5_000_000 });
});
