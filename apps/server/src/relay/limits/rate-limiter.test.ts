import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { LimitValues } from "@one-api/contract/limits/limit-constants";
import type { Clock } from "../../platform/clock.ts";
import { createTestClock } from "../../testing/test-clock.ts";
import { RelayError } from "../errors/index.ts";
import { limitsOf } from "../../features/limits/index.ts";
import { openai } from "../dialects/index.ts";
import { RateLimiter, type Admission } from "./rate-limiter.ts";

function limiterAt(startMs: number) {
  let now = startMs;
  const limiter = alone({ nowMs: () => now, monotonicMs: () => now });
  return { limiter, pass: (ms: number) => (now += ms) };
}

function alone(clock: Clock): RateLimiter {
  return new RateLimiter({ clock, place: () => ({ index: 0, count: 1 }), shared: undefined });
}

function admitted(
  limiter: RateLimiter,
  limits: LimitValues & { id?: number },
  modelTokens: number,
  isForImages = false,
): Admission {
  const admission = limiter.admit(limitsOf({ id: 1, ...limits }), { models: ["m"], modelTokens, isForImages });
  assert.ok(!(admission instanceof Promise));
  return admission;
}

function headersOf(limiter: RateLimiter, limits: LimitValues): Readonly<Record<string, string>> {
  return limiter.headers(limitsOf({ id: 1, ...limits }), openai.writeLimits);
}

const limits = { rpm_limit: 5, tpm_limit: 1 };

function refusal(act: () => unknown): RelayError {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof RelayError);
    return error;
  }
  throw new Error("nothing was refused");
}

describe("rate limits", () => {
  it("admit exactly the limit in any minute and return the wait [TLIMIT-07] [TLIMIT-13]", () => {
    const { limiter, pass } = limiterAt(1_000_000);
    for (let count = 0; count < 5; count += 1) admitted(limiter, limits, 0);
    pass(30_000);
    const error = refusal(() => admitted(limiter, limits, 0));
    assert.equal(error.status, 429);
    const wait = Number(error.headers["retry-after"]);
    pass(wait * 1000 - 1_001);
    refusal(() => admitted(limiter, limits, 0));
    pass(1_001);
    admitted(limiter, limits, 0);
  });

  it("use monotonic time", () => {
    const clock = createTestClock();
    const limiter = alone(clock);
    for (let count = 0; count < 5; count += 1) admitted(limiter, limits, 0);
    clock.setBackSeconds(86_400);
    refusal(() => admitted(limiter, limits, 0));
    clock.advanceSeconds(61);
    admitted(limiter, limits, 0);
  });

  it("never admit more than the limit in 60 seconds, for any distribution of calls", () => {
    const { limiter, pass } = limiterAt(5_500);
    const times: number[] = [];
    let now = 0;
    for (let round = 0; round < 2_000; round += 1) {
      try {
        admitted(limiter, limits, 0);
        times.push(now);
      } catch {
        // refused: tried again a little later
      }
      now += 137;
      pass(137);
    }
    for (const from of times) assert.ok(times.filter((at) => at >= from && at < from + 60_000).length <= 5);
  });

  it("reserve the upper bound of running requests, and replace it by their usage [TLIMIT-09]", () => {
    const { limiter, pass } = limiterAt(1_000_000);
    const tokens = { tpm_limit: 1 };
    const [first, second] = [admitted(limiter, tokens, 600), admitted(limiter, tokens, 600)];
    const refused = refusal(() => admitted(limiter, tokens, 1));
    assert.deepEqual([refused.status, refused.type, refused.headers["retry-after"]], [429, "tokens", "5"]);
    first.settle(100);
    first.settle(900);
    second.settle(0);
    assert.equal(headersOf(limiter, tokens)["x-ratelimit-remaining-tokens"], "900");
    admitted(limiter, tokens, 0).settle(900);
    assert.equal(refusal(() => admitted(limiter, tokens, 1)).headers["retry-after"], "61");
    pass(61_000);
    admitted(limiter, tokens, 1);
  });

  it("admit a call that may exceed the limit, but no concurrent one", () => {
    const { limiter } = limiterAt(1_000_000);
    const tokens = { tpm_limit: 1 };
    const small = admitted(limiter, tokens, 100);
    const long = admitted(limiter, tokens, 50_000);
    refusal(() => admitted(limiter, tokens, 1));
    // Released model tokens are not available while the long request may still use them.
    small.settle(10);
    refusal(() => admitted(limiter, tokens, 1));
    long.settle(200);
    admitted(limiter, tokens, 50_000);
  });

  it("never exceed the limit by more than the upper bound of one call", () => {
    const limit = 1_000;
    const { limiter, pass } = limiterAt(1_000_000);
    let tokenId = 0;
    const call = fc.record({
      bound: fc.integer({ min: 1, max: 3_000 }),
      usedShare: fc.double({ min: 0, max: 1, noNaN: true }),
      ends: fc.nat(),
      passMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20_000 })),
    });
    fc.assert(
      fc.property(fc.array(call, { minLength: 20, maxLength: 200 }), (calls) => {
        // Each run has its own token: creating a limiter for each would take longer than the run.
        const tokens = { tpm_limit: limit / 1_000, id: (tokenId += 1) };
        let now = 0;
        const running: (() => void)[] = [];
        const used: { at: number; tokens: number }[] = [];
        for (const { bound, usedShare, ends, passMs } of calls) {
          now += passMs;
          pass(passMs);
          try {
            const admission = admitted(limiter, tokens, bound);
            running.push(() => {
              const spent = Math.floor(bound * usedShare);
              used.push({ at: now, tokens: spent });
              admission.settle(spent);
            });
          } catch {
            // Refused: retried by a later call.
          }
          if (ends % 3 === 0) running.splice(ends % (running.length + 1), 1)[0]?.();
          const lastMinute = used
            .filter(({ at }) => at > now - 60_000)
            .reduce((sum, { tokens: spent }) => sum + spent, 0);
          assert.ok(lastMinute < limit + 3_000, `${lastMinute} in a minute`);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("return limit, remaining and reset of every limit in force [TLIMIT-12]", () => {
    const { limiter } = limiterAt(1_000_000);
    const all = { ...limits, dpm_limit: 7 };
    assert.deepEqual(admitted(limiter, all, 400).headers(openai.writeLimits), {
      "x-ratelimit-limit-requests": "5",
      "x-ratelimit-remaining-requests": "4",
      "x-ratelimit-reset-requests": "0s",
      "x-ratelimit-limit-images": "7",
      "x-ratelimit-remaining-images": "7",
      "x-ratelimit-reset-images": "0s",
      "x-ratelimit-limit-tokens": "1000",
      "x-ratelimit-remaining-tokens": "600",
      "x-ratelimit-reset-tokens": "0s",
    });
    const names = Object.keys(headersOf(limiter, { rpm_limit: 5 }));
    assert.deepEqual(
      names.filter((name) => !name.endsWith("-requests")),
      [],
    );
  });

  it("do not limit at 0 [TLIMIT-11]", () => {
    const { limiter } = limiterAt(0);
    const none = { rpm_limit: 0, dpm_limit: 0, tpm_limit: 0 };
    for (let count = 0; count < 1_000; count += 1) assert.deepEqual(admitted(limiter, none, 1_000_000).states, []);
  });
});
