import { expect, test } from "vitest";
import { sampleToken } from "./testing/sample-token.ts";
import { tokenStatusLook } from "./token-columns.tsx";
import { orderTokens } from "./token-queries.ts";

const tokens = [
  sampleToken({ name: "poor", remain_quota: 1, used_quota: 9 }),
  sampleToken({ name: "rich", remain_quota: 8, used_quota: 2 }),
  sampleToken({ name: "unlimited", remain_quota: 0, unlimited_quota: true, used_quota: 5 }),
];
const namesIn = (order: Parameters<typeof orderTokens>[1]) => orderTokens(tokens, order).map((token) => token.name);

test("[TLIST-03..05] found tokens stand in the chosen order", () => {
  expect(namesIn("default")).toEqual(["poor", "rich", "unlimited"]);
  expect(namesIn("remain_quota")).toEqual(["unlimited", "rich", "poor"]);
  expect(namesIn("used_quota")).toEqual(["poor", "unlimited", "rich"]);
});

test("[TLIMIT-01..04] the four states and anything else have a name and a tone", () => {
  expect([1, 2, 3, 4, 9].map(tokenStatusLook)).toEqual([
    { name: "enabled", tone: "good" },
    { name: "disabled", tone: "neutral" },
    { name: "expired", tone: "warning" },
    { name: "exhausted", tone: "danger" },
    { name: "unknown", tone: "neutral" },
  ]);
});
