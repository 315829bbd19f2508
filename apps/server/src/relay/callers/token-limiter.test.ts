import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createTestClock } from "../../testing/test-clock.ts";
import { RelayError } from "../errors/index.ts";
import { createTokenLimiter } from "./token-limiter.ts";

function limiterAt(startMs: number) {
  let now = startMs;
  const limiter = createTokenLimiter({ nowMs: () => now, monotonicMs: () => now });
  return { limiter, pass: (ms: number) => (now += ms) };
}

const limits = { tokenId: 1, requestsPerMinute: 5, imagesPerMinute: 0, modelTokensPerMinute: 1_000 };

function refusal(act: () => unknown): RelayError {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof RelayError);
    return error;
  }
  throw new Error("nothing was refused");
}

describe("token limits", () => {
  it("admit exactly the limit in any minute and return the wait [TLIMIT-07] [TLIMIT-13]", () => {
    const { limiter, pass } = limiterAt(1_000_000);
    for (let count = 0; count < 5; count += 1) limiter.admit(limits, 0);
    pass(30_000);
    const error = refusal(() => limiter.admit(limits, 0));
    assert.equal(error.status, 429);
    const wait = Number(error.headers["retry-after"]);
    pass(wait * 1000 - 1_001);
    refusal(() => limiter.admit(limits, 0));
    pass(1_001);
    limiter.admit(limits, 0);
  });

  it("use monotonic time", () => {
    const clock = createTestClock();
    const limiter = createTokenLimiter(clock);
    for (let count = 0; count < 5; count += 1) limiter.admit(limits, 0);
    clock.setBackSeconds(86_400);
    refusal(() => limiter.admit(limits, 0));
    clock.advanceSeconds(61);
    limiter.admit(limits, 0);
  });

  it("never admit more than the limit in 60 seconds, for any distribution of calls", () => {
    const { limiter, pass } = limiterAt(5_500);
    const admitted: number[] = [];
    let now = 0;
    for (let round = 0; round < 2_000; round += 1) {
      try {
        limiter.admit(limits, 0);
        admitted.push(now);
      } catch {
        // refused: tried again a little later
      }
      now += 137;
      pass(137);
    }
    for (const from of admitted) assert.ok(admitted.filter((at) => at >= from && at < from + 60_000).length <= 5);
  });

  it("reserve the upper bound of running requests, and replace it by their usage [TLIMIT-09]", () => {
    const { limiter, pass } = limiterAt(1_000_000);
    const tokens = { ...limits, requestsPerMinute: 0 };
    const [first, second] = [limiter.admit(tokens, 600), limiter.admit(tokens, 600)];
    const refused = refusal(() => limiter.admit(tokens, 1));
    assert.deepEqual([refused.status, refused.type, refused.headers["retry-after"]], [429, "tokens", "5"]);
    first.settle(100);
    first.settle(900);
    second.settle(0);
    assert.equal(limiter.standing(tokens)["x-ratelimit-remaining-tokens"], "900");
    limiter.admit(tokens, 0).settle(900);
    assert.equal(refusal(() => limiter.admit(tokens, 1)).headers["retry-after"], "61");
    pass(61_000);
    limiter.admit(tokens, 1);
  });

  it("admit a call that may exceed the limit, but no concurrent one", () => {
    const { limiter } = limiterAt(1_000_000);
    const tokens = { ...limits, requestsPerMinute: 0 };
    const small = limiter.admit(tokens, 100);
    const long = limiter.admit(tokens, 50_000);
    refusal(() => limiter.admit(tokens, 1));
    // Released model tokens are not available while the long request may still use them.
    small.settle(10);
    refusal(() => limiter.admit(tokens, 1));
    long.settle(200);
    limiter.admit(tokens, 50_000);
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
        const tokens = { ...limits, tokenId: (tokenId += 1), requestsPerMinute: 0, modelTokensPerMinute: limit };
        let now = 0;
        const running: (() => void)[] = [];
        const used: { at: number; tokens: number }[] = [];
        for (const { bound, usedShare, ends, passMs } of calls) {
          now += passMs;
          pass(passMs);
          try {
            const admission = limiter.admit(tokens, bound);
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
    const all = { ...limits, imagesPerMinute: 7 };
    assert.deepEqual(limiter.admit(all, 400).headers, {
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
    const names = Object.keys(limiter.standing({ ...limits, tokenId: 9, modelTokensPerMinute: 0 }));
    assert.deepEqual(
      names.filter((name) => !name.endsWith("-requests")),
      [],
    );
  });

  it("do not limit at 0 [TLIMIT-11]", () => {
    const { limiter } = limiterAt(0);
    const none = { tokenId: 2, requestsPerMinute: 0, imagesPerMinute: 0, modelTokensPerMinute: 0 };
    for (let count = 0; count < 1_000; count += 1) assert.deepEqual(limiter.admit(none, 1_000_000).headers, {});
  });
});
