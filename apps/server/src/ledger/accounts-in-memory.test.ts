import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AccountsInMemory } from "./accounts-in-memory.ts";

const payer = (tokenId: number) => ({ userId: 1, tokenId, tokenUnlimited: false });

function learn(accounts: AccountsInMemory, tokenId: number): void {
  accounts.reading("user", 1)(1_000);
  accounts.reading("token", tokenId)(100);
}

const MANY = 250_000;

describe("accounts in memory", () => {
  it("are forgotten when there are too many, but for those of which something is set aside", () => {
    const accounts = new AccountsInMemory();
    learn(accounts, 1);
    assert.equal(accounts.hold(payer(1), 60), undefined);
    for (let tokenId = 2; tokenId <= MANY; tokenId += 1) learn(accounts, tokenId);
    assert.deepEqual(accounts.unknownOf(payer(2)), ["token"]);
    assert.deepEqual(accounts.unknownOf(payer(1)), []);
    assert.equal(accounts.hold(payer(1), 60), "token-quota");
  });

  it("are there for whoever has just read them", () => {
    const accounts = new AccountsInMemory();
    const slow = accounts.reading("token", 2);
    for (let tokenId = 3; tokenId <= 100_001; tokenId += 1) learn(accounts, tokenId);
    slow(100);
    learn(accounts, MANY);
    assert.deepEqual(accounts.unknownOf(payer(2)), []);
  });

  it("are read again where they were forgotten, whoever was reading them meanwhile", () => {
    const accounts = new AccountsInMemory();
    const late = accounts.reading("token", 2);
    for (let tokenId = 3; tokenId <= MANY; tokenId += 1) learn(accounts, tokenId);
    late(100);
    assert.deepEqual(accounts.unknownOf(payer(2)), ["token"]);
  });
});
