import assert from "node:assert/strict";
import { it } from "node:test";
import { limitsOf } from "../../features/limits/index.ts";
import { type LimitHeaders, RateLimiter, type WriteLimits } from "../limits/index.ts";
import { writeAnthropicLimits, writeOpenaiLimits } from "./limit-headers.ts";

const NOW_MS = Date.UTC(2026, 10, 18, 12, 0, 0, 1);

function headersAfter(requests: number, write: WriteLimits): LimitHeaders {
  const limiter = new RateLimiter({
    clock: { nowMs: () => NOW_MS, monotonicMs: () => 0 },
    place: () => ({ index: 0, count: 1 }),
    shared: undefined,
  });
  const limits = limitsOf({
    id: 1,
    rpm_limit: 5,
    requests_day_limit: 3,
    tpm_limit: 1,
    concurrent_limit: 9,
    dpm_limit: 4,
  });
  for (let count = 0; count < requests; count += 1)
    void limiter.admit(limits, { models: ["m"], modelTokens: 100, isForImages: false });
  return limiter.headers(limits, write);
}

it("names the limit of each kind that has the least left", () => {
  assert.deepEqual(headersAfter(1, writeOpenaiLimits), {
    "x-ratelimit-limit-requests": "3",
    "x-ratelimit-remaining-requests": "2",
    "x-ratelimit-reset-requests": "0s",
    "x-ratelimit-limit-images": "4",
    "x-ratelimit-remaining-images": "4",
    "x-ratelimit-reset-images": "0s",
    "x-ratelimit-limit-tokens": "1000",
    "x-ratelimit-remaining-tokens": "900",
    "x-ratelimit-reset-tokens": "0s",
  });
});

it("has Anthropic's names, with resets as times", () => {
  assert.deepEqual(headersAfter(3, writeAnthropicLimits), {
    "anthropic-ratelimit-requests-limit": "3",
    "anthropic-ratelimit-requests-remaining": "0",
    // Buckets of a day are 24 minutes long, and one more than the day is kept.
    "anthropic-ratelimit-requests-reset": "2026-11-19T12:24:01Z",
    "anthropic-ratelimit-tokens-limit": "1000",
    "anthropic-ratelimit-tokens-remaining": "700",
    "anthropic-ratelimit-tokens-reset": "2026-11-18T12:00:01Z",
  });
});

it("is empty without limits", () => {
  for (const write of [writeOpenaiLimits, writeAnthropicLimits]) assert.deepEqual(write([], NOW_MS), {});
});
