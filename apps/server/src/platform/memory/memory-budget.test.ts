import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { MemoryBudget } from "./memory-budget.ts";

/** A claim whose owner counts its calls. */
function countingClaim(budget: MemoryBudget, userId: number) {
  const seen = { resumes: 0, aborts: 0, stalledMs: 0, checks: 0 };
  const claim = budget.claim({
    userId,
    resume: () => (seen.resumes += 1),
    stalledMs: () => {
      seen.checks += 1;
      return seen.stalledMs;
    },
    abort: () => {
      seen.aborts += 1;
      claim.release();
    },
  });
  return { ...claim, seen };
}

describe("memory budget", () => {
  it("gives one account half of it, and lets one claim exceed it", () => {
    const budget = new MemoryBudget(100);
    const [first, second, third] = [countingClaim(budget, 1), countingClaim(budget, 1), countingClaim(budget, 1)];
    assert.deepEqual([first.take(50), second.take(80), second.take(20), third.take(1)], [true, true, true, false]);
    assert.equal(budget.taken, 151);
  });

  it("has memory for others while one account is at its limit and exceeds the budget", () => {
    const budget = new MemoryBudget(100);
    const [first, excess, waits] = [countingClaim(budget, 1), countingClaim(budget, 1), countingClaim(budget, 1)];
    first.take(50);
    excess.take(100);
    assert.equal(waits.take(1), false);
    assert.equal(countingClaim(budget, 2).take(24), true);
    assert.equal(countingClaim(budget, 3).take(12), true);
  });

  it("resumes the account that uses least first, and all in the end", () => {
    const budget = new MemoryBudget(100);
    const [large, excess, own, other] = [1, 1, 1, 2].map((userId) => countingClaim(budget, userId));
    assert.ok(large && excess && own && other);
    large.take(50);
    excess.take(60);
    assert.deepEqual([own.take(10), other.take(30)], [false, false]);
    excess.release();
    assert.deepEqual([own.seen.resumes, other.seen.resumes], [0, 1]);
    other.release();
    assert.deepEqual([own.seen.resumes, other.seen.resumes], [1, 1]);
    large.release();
    own.release();
    own.release();
    assert.equal(budget.taken, 0);
  });

  it("is free again once all claims are released", () => {
    const budget = new MemoryBudget(100);
    const claims = Array.from({ length: 40 }, (_, index) => countingClaim(budget, index % 5));
    for (const claim of claims) claim.take(30);
    for (const claim of claims) claim.release();
    assert.equal(budget.taken, 0);
    assert.equal(countingClaim(budget, 1).take(50), true);
  });

  it("counts the excess claim again once it fits", () => {
    const budget = new MemoryBudget(100);
    const [excess, next] = [countingClaim(budget, 1), countingClaim(budget, 2)];
    excess.take(200);
    next.take(51);
    assert.equal(next.seen.resumes, 0);
    excess.give(190);
    assert.equal(next.seen.resumes, 1);
    assert.equal(budget.taken, 61);
  });

  it("forgets idle accounts only", () => {
    const budget = new MemoryBudget(100);
    const active = countingClaim(budget, 1);
    active.take(50);
    for (let userId = 2; userId < 5_000; userId += 1) {
      const passing = countingClaim(budget, userId);
      passing.take(1);
      passing.release();
    }
    const again = countingClaim(budget, 1);
    again.take(100);
    assert.equal(countingClaim(budget, 1).take(1), false);
    active.release();
    again.release();
    assert.equal(budget.taken, 1);
  });

  describe("while a claim waits", () => {
    /** Mocks timers. Returns a function that advances them. */
    const passing = (t: TestContext) => {
      t.mock.timers.enable({ apis: ["setInterval"] });
      return (ms: number) => t.mock.timers.tick(ms);
    };

    it("aborts stalled claims of accounts that use more, the largest first, until the waiting claim fits", (t) => {
      const pass = passing(t);
      const budget = new MemoryBudget(100);
      const [most, excess, less, waits] = [1, 1, 2, 3].map((userId) => countingClaim(budget, userId));
      assert.ok(most && excess && less && waits);
      most.take(50);
      excess.take(50);
      less.take(25);
      assert.equal(waits.take(20), false);
      pass(5_000);
      for (const { seen } of [most, less]) seen.stalledMs = 1_900;
      pass(1_000);
      assert.equal(most.seen.aborts + less.seen.aborts, 0);
      for (const { seen } of [most, less]) seen.stalledMs = 2_000;
      pass(1_000);
      assert.deepEqual([most.seen.aborts, less.seen.aborts, waits.seen.resumes], [1, 0, 1]);
    });

    it("never aborts a claim of an account that uses less than the waiting one", (t) => {
      const pass = passing(t);
      const budget = new MemoryBudget(100);
      const [slow, first, excess, waits] = [1, 2, 2, 2].map((userId) => countingClaim(budget, userId));
      assert.ok(slow && first && excess && waits);
      slow.take(10);
      first.take(44);
      excess.take(50);
      assert.equal(waits.take(10), false);
      slow.seen.stalledMs = 50_000;
      pass(60_000);
      assert.deepEqual([slow.seen.aborts, waits.seen.resumes], [0, 0]);
    });

    it("aborts later if only the own account waits", (t) => {
      const pass = passing(t);
      const budget = new MemoryBudget(100);
      const [first, excess, waits] = [1, 1, 1].map((userId) => countingClaim(budget, userId));
      assert.ok(first && excess && waits);
      first.take(50);
      excess.take(50);
      assert.equal(waits.take(10), false);
      first.seen.stalledMs = 9_900;
      pass(2_000);
      assert.equal(first.seen.aborts, 0);
      first.seen.stalledMs = 10_000;
      pass(1_000);
      assert.deepEqual([first.seen.aborts, waits.seen.resumes], [1, 1]);
    });

    it("checks no claim once none waits", (t) => {
      const pass = passing(t);
      const budget = new MemoryBudget(100);
      const [first, excess, waits] = [1, 1, 2].map((userId) => countingClaim(budget, userId));
      assert.ok(first && excess && waits);
      first.take(50);
      excess.take(50);
      assert.equal(waits.take(40), false);
      waits.release();
      first.seen.stalledMs = excess.seen.stalledMs = 50_000;
      pass(60_000);
      assert.deepEqual([first.seen.checks, first.seen.aborts, excess.seen.aborts], [0, 0, 0]);
    });
  });
});
