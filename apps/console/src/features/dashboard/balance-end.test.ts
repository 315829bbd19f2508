import { expect, test } from "vitest";
import { balanceEnd } from "./balance-end.ts";

const DAY = 86_400;
const NOW = 100 * DAY;
const usage = {
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
};
const edges = Array.from({ length: 31 }, (_edge, day) => NOW - (30 - day) * DAY);
const partsOf = (quotaOf: (day: number) => number) =>
  Array.from({ length: 30 }, (_part, day) => ({ ...usage, quota: quotaOf(day) }));

test("a balance lasts as long as at the pace of the last 7 days; spend before does not count", () => {
  const parts = partsOf((day) => (day < 23 ? 1_000 : 10));
  expect(balanceEnd(140, { edges, parts }, NOW)).toBe(NOW + 14 * DAY);
  expect(balanceEnd(140, { edges, parts: partsOf((day) => (day < 23 ? 5 : 0)) }, NOW)).toBeUndefined();
});
