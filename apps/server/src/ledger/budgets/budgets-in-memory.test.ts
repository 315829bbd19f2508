import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { LedgerBudget } from "./budget.ts";
import { BudgetsInMemory } from "./budgets-in-memory.ts";

const NOW = 1_750_000_000;
const MANY = 150_000;

const budgetOf = (userId: number, tokenId: number, spent = 0): LedgerBudget => ({
  userId,
  tokenId,
  amount: 100,
  period: "monthly",
  since: 0,
  windowStart: 0,
  spent,
});

function learn(budgets: BudgetsInMemory, userId: number, tokenId: number): void {
  budgets.reading({ userId, tokenId })([budgetOf(userId, 0), budgetOf(userId, tokenId)]);
}

describe("budgets in memory", () => {
  it("are forgotten when there are too many users, but for what is set aside", () => {
    const budgets = new BudgetsInMemory();
    const payer = { userId: 1, tokenId: 1 };
    learn(budgets, 1, 1);
    assert.equal(budgets.hold(payer, "first", 60, NOW), undefined);
    for (let id = 2; id <= MANY; id += 1) learn(budgets, id, id);
    for (const id of [1, 2]) assert.equal(budgets.knows({ userId: id, tokenId: id }), false);
    assert.equal(budgets.knows({ userId: MANY, tokenId: MANY }), true);
    learn(budgets, 1, 1);
    assert.equal(budgets.left(payer, NOW), 40);
    budgets.end(payer, "first", 10);
    assert.equal(budgets.left(payer, NOW), 90);
  });

  it("are forgotten of the many tokens of one user who calls all the time, the user's own still counting", () => {
    const budgets = new BudgetsInMemory();
    const first = { userId: 1, tokenId: 0 };
    let tokenId = 0;
    for (; tokenId === 0 || budgets.knows(first); tokenId += 1) {
      assert.ok(tokenId < MANY, "the first one is forgotten");
      learn(budgets, 1, tokenId);
      if (tokenId === 0) budgets.hold(first, "first", 60, NOW);
    }
    const last = { userId: 1, tokenId: tokenId - 1 };
    assert.equal(budgets.knows(last), true);
    assert.equal(budgets.left(last, NOW), 40);
  });
});
