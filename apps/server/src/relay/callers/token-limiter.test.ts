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
  it("admit exactly the limit in any minute and tell how long to wait [TLIMIT-07] [TLIMIT-13]", () => {
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

  it("go by the time that passes, not by the time of day, which may be set back", () => {
    const clock = createTestClock();
    const limiter = createTokenLimiter(clock);
    for (let count = 0; count < 5; count += 1) limiter.admit(limits, 0);
    clock.setBackSeconds(86_400);
    refusal(() => limiter.admit(limits, 0));
    clock.advanceSeconds(61);
    limiter.admit(limits, 0);
  });

  it("never let more than the limit through in 60 seconds, however the calls fall", () => {
    const { limiter, pass } = limiterAt(5_500);
    const admitted: number[] = [];
    let now = 0;
    for (let step = 0; step < 2_000; step += 1) {
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

  it("hold what running requests may use, and count what they used in its place [TLIMIT-09]", () => {
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

  it("let in a call that may use more than the limit, and no other beside it", () => {
    const { limiter } = limiterAt(1_000_000);
    const tokens = { ...limits, requestsPerMinute: 0 };
    const small = limiter.admit(tokens, 100);
    const long = limiter.admit(tokens, 50_000);
    refusal(() => limiter.admit(tokens, 1));
    // What the small one gives back is not given away again while the long one may still use it.
    small.settle(10);
    refusal(() => limiter.admit(tokens, 1));
    long.settle(200);
    limiter.admit(tokens, 50_000);
  });

  it("never let more be used in a minute than the limit and the bound of one call, however calls begin and end", () => {
    const limit = 1_000;
    const { limiter, pass } = limiterAt(1_000_000);
    let tokenId = 0;
    const step = fc.record({
      bound: fc.integer({ min: 1, max: 3_000 }),
      usedShare: fc.double({ min: 0, max: 1, noNaN: true }),
      ends: fc.nat(),
      passMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20_000 })),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 200 }), (steps) => {
        // A token of its own, of the one limiter: room for all its tokens takes longer to make than one run.
        const tokens = { ...limits, tokenId: (tokenId += 1), requestsPerMinute: 0, modelTokensPerMinute: limit };
        let now = 0;
        const running: (() => void)[] = [];
        const used: { at: number; tokens: number }[] = [];
        for (const { bound, usedShare, ends, passMs } of steps) {
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
            // Refused: another step comes later.
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

  it("tell limit, remaining and reset of everything that is limited, and of nothing else [TLIMIT-12]", () => {
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
