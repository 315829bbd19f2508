import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  accountWaitSeconds,
  afterAccountFailure,
  afterNetworkFailure,
  type FailureCount,
  networkWaitSeconds,
} from "./login-throttle.policy.ts";

const NO_FAILURES: FailureCount = { failures: 0, lastFailureAt: 0, blockedUntil: 0 };

const NOW = 1_750_000_000;

describe("the login throttle", () => {
  test("allows an account four failures, then doubles the wait from 1 s to 15 min", () => {
    let count = NO_FAILURES;
    const waits: number[] = [];
    for (let failure = 0; failure < 17; failure += 1) {
      count = afterAccountFailure(count, NOW);
      waits.push(accountWaitSeconds(count, NOW));
    }
    assert.deepEqual(waits, [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
  });

  test("forgets an account's failures after a day", () => {
    const count = { failures: 12, lastFailureAt: NOW, blockedUntil: NOW + 128 };
    assert.equal(afterAccountFailure(count, NOW + 24 * 3600 - 1).failures, 13);
    assert.equal(afterAccountFailure(count, NOW + 24 * 3600).failures, 1);
  });

  test("blocks a network after 20 failures, until ten minutes after the first", () => {
    let count = NO_FAILURES;
    for (let failure = 0; failure < 19; failure += 1) count = afterNetworkFailure(count, NOW + failure);
    assert.equal(networkWaitSeconds(count, NOW + 19), 0);
    count = afterNetworkFailure(count, NOW + 20);
    assert.equal(networkWaitSeconds(count, NOW + 20), 580);
    assert.equal(networkWaitSeconds(count, NOW + 600), 0);
    assert.equal(afterNetworkFailure(count, NOW + 600).failures, 1);
  });
});
