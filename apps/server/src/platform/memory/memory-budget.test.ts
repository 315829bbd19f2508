import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { MemoryBudget } from "./memory-budget.ts";

/** A holder that a test observes. */
function holder(budget: MemoryBudget, userId: number) {
  const seen = { goesOn: 0, cuts: 0, stalledMs: 0, looks: 0 };
  const claim = budget.claim({
    userId,
    goOn: () => (seen.goesOn += 1),
    stalledMs: () => {
      seen.looks += 1;
      return seen.stalledMs;
    },
    cut: () => {
      seen.cuts += 1;
      claim.release();
    },
  });
  return { ...claim, seen };
}

describe("the memory budget", () => {
  it("gives a single account half of it, and one claim beyond", () => {
    const budget = new MemoryBudget(100);
    const [first, second, third] = [holder(budget, 1), holder(budget, 1), holder(budget, 1)];
    assert.deepEqual([first.take(50), second.take(80), second.take(20), third.take(1)], [true, true, true, false]);
    assert.equal(budget.taken, 151);
  });

  it("has space for others while one account has its maximum", () => {
    const budget = new MemoryBudget(100);
    const [first, beside, waits] = [holder(budget, 1), holder(budget, 1), holder(budget, 1)];
    first.take(50);
    beside.take(100);
    assert.equal(waits.take(1), false);
    assert.equal(holder(budget, 2).take(24), true);
    assert.equal(holder(budget, 3).take(12), true);
  });

  it("resumes the account that holds least first, and all in the end", () => {
    const budget = new MemoryBudget(100);
    const [large, beside, own, other] = [1, 1, 1, 2].map((userId) => holder(budget, userId));
    assert.ok(large && beside && own && other);
    large.take(50);
    beside.take(60);
    assert.deepEqual([own.take(10), other.take(30)], [false, false]);
    beside.release();
    assert.deepEqual([own.seen.goesOn, other.seen.goesOn], [0, 1]);
    other.release();
    assert.deepEqual([own.seen.goesOn, other.seen.goesOn], [1, 1]);
    large.release();
    own.release();
    own.release();
    assert.equal(budget.taken, 0);
  });

  it("is free again when all claims are released", () => {
    const budget = new MemoryBudget(100);
    const claims = Array.from({ length: 40 }, (_, index) => holder(budget, index % 5));
    for (const claim of claims) claim.take(30);
    for (const claim of claims) claim.release();
    assert.equal(budget.taken, 0);
    assert.equal(holder(budget, 1).take(50), true);
  });

  it("returns the exceeding claim once it fits", () => {
    const budget = new MemoryBudget(100);
    const [beside, next] = [holder(budget, 1), holder(budget, 2)];
    beside.take(200);
    next.take(51);
    assert.equal(next.seen.goesOn, 0);
    beside.give(190);
    assert.equal(next.seen.goesOn, 1);
    assert.equal(budget.taken, 61);
  });

  it("forgets idle accounts only", () => {
    const budget = new MemoryBudget(100);
    const kept = holder(budget, 1);
    kept.take(50);
    for (let userId = 2; userId < 5_000; userId += 1) {
      const passing = holder(budget, userId);
      passing.take(1);
      passing.release();
    }
    const again = holder(budget, 1);
    again.take(100);
    assert.equal(holder(budget, 1).take(1), false);
    kept.release();
    again.release();
    assert.equal(budget.taken, 1);
  });

  describe("while a claim waits", () => {
    /** A clock that a test moves. */
    const passing = (t: TestContext) => {
      t.mock.timers.enable({ apis: ["setInterval"] });
      return (ms: number) => t.mock.timers.tick(ms);
    };

    it("cuts stalled claims of larger accounts, the largest first, until there is space", (t) => {
      const pass = passing(t);
      const budget = new MemoryBudget(100);
      const [most, beside, less, waits] = [1, 1, 2, 3].map((userId) => holder(budget, userId));
      assert.ok(most && beside && less && waits);
      most.take(50);
      beside.take(50);
      less.take(25);
      assert.equal(waits.take(20), false);
      pass(5_000);
      for (const { seen } of [most, less]) seen.stalledMs = 1_900;
      pass(1_000);
      assert.equal(most.seen.cuts + less.seen.cuts, 0);
      for (const { seen } of [most, less]) seen.stalledMs = 2_000;
      pass(1_000);
      assert.deepEqual([most.seen.cuts, less.seen.cuts, waits.seen.goesOn], [1, 0, 1]);
    });

    it("spares claims of smaller accounts, however slow", (t) => {
      const pass = passing(t);
      const budget = new MemoryBudget(100);
      const [slow, first, beside, waits] = [1, 2, 2, 2].map((userId) => holder(budget, userId));
      assert.ok(slow && first && beside && waits);
      slow.take(10);
      first.take(44);
      beside.take(50);
      assert.equal(waits.take(10), false);
      slow.seen.stalledMs = 50_000;
      pass(60_000);
      assert.deepEqual([slow.seen.cuts, waits.seen.goesOn], [0, 0]);
    });

    it("waits longer if only the same account waits", (t) => {
      const pass = passing(t);
      const budget = new MemoryBudget(100);
      const [first, beside, waits] = [1, 1, 1].map((userId) => holder(budget, userId));
      assert.ok(first && beside && waits);
      first.take(50);
      beside.take(50);
      assert.equal(waits.take(10), false);
      first.seen.stalledMs = 9_900;
      pass(2_000);
      assert.equal(first.seen.cuts, 0);
      first.seen.stalledMs = 10_000;
      pass(1_000);
      assert.deepEqual([first.seen.cuts, waits.seen.goesOn], [1, 1]);
    });

    it("stops checking once no claim waits", (t) => {
      const pass = passing(t);
      const budget = new MemoryBudget(100);
      const [first, beside, waits] = [1, 1, 2].map((userId) => holder(budget, userId));
      assert.ok(first && beside && waits);
      first.take(50);
      beside.take(50);
      assert.equal(waits.take(40), false);
      waits.release();
      first.seen.stalledMs = beside.seen.stalledMs = 50_000;
      pass(60_000);
      assert.deepEqual([first.seen.looks, first.seen.cuts, beside.seen.cuts], [0, 0, 0]);
    });
  });
});
