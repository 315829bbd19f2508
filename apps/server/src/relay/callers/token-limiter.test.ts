import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RelayError } from "../relay-error.ts";
import { createTokenLimiter } from "./token-limiter.ts";

function limiterAt(startMs: number) {
  let now = startMs;
  const limiter = createTokenLimiter({ nowMs: () => now, monotonicMs: () => now });
  return { limiter, pass: (ms: number) => (now += ms) };
}

const limits = { tokenId: 1, requestsPerMinute: 5, modelTokensPerMinute: 1_000 };

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
    for (let count = 0; count < 5; count += 1) limiter.admit(limits);
    pass(30_000);
    const error = refusal(() => limiter.admit(limits));
    assert.equal(error.status, 429);
    const wait = Number(error.headers["retry-after"]);
    pass(wait * 1000 - 1_001);
    refusal(() => limiter.admit(limits));
    pass(1_001);
    limiter.admit(limits);
  });

  it("never let more than the limit through in 60 seconds, however the calls fall", () => {
    const { limiter, pass } = limiterAt(5_500);
    const admitted: number[] = [];
    let now = 0;
    for (let step = 0; step < 2_000; step += 1) {
      try {
        limiter.admit(limits);
        admitted.push(now);
      } catch {
        // refused: tried again a little later
      }
      now += 137;
      pass(137);
    }
    for (const from of admitted) assert.ok(admitted.filter((at) => at >= from && at < from + 60_000).length <= 5);
  });

  it("count model tokens after they were used, and send the headers [TLIMIT-09] [TLIMIT-12]", () => {
    const { limiter } = limiterAt(1_000_000);
    const headers = limiter.admit(limits);
    assert.equal(headers["x-ratelimit-limit-requests"], "5");
    assert.equal(headers["x-ratelimit-remaining-requests"], "4");
    limiter.consume(limits, 1_000);
    assert.equal(refusal(() => limiter.admit(limits)).status, 429);
  });

  it("do not limit at 0 [TLIMIT-11]", () => {
    const { limiter } = limiterAt(0);
    for (let count = 0; count < 1_000; count += 1)
      limiter.admit({ tokenId: 2, requestsPerMinute: 0, modelTokensPerMinute: 0 });
  });
});
