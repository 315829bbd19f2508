import assert from "node:assert/strict";
import { test } from "node:test";
import type { OpenDatabase } from "@one-api/database/open-database";
import { eachDatabase } from "@one-api/database/test-databases";
import { inTransaction } from "../../core/transaction.ts";
import type { SumsWithoutKey } from "./usage.repository.ts";
import { TokenNumbers } from "./usage-tokens.repository.ts";

const sumsOf = (userId: number, tokenName: string): SumsWithoutKey => ({
  slot: 1,
  userId,
  tokenName,
  model: "m",
  channel: 1,
  values: [],
  steps: [],
  sign: 1,
});

const SUMS = [sumsOf(1, "a"), sumsOf(1, "b/c"), sumsOf(2, "a"), sumsOf(1, "a"), sumsOf(1, "")];

eachDatabase((open) => {
  /** The numbers that a process gives them; it knows those of before where these were kept. */
  async function numbersOf(database: OpenDatabase, sums: readonly SumsWithoutKey[], keep: boolean) {
    const numbers = new TokenNumbers(database);
    const numbered = await numbers.number((work) => inTransaction(database, work), sums);
    if (keep) numbers.keep();
    return numbered.map(({ token }) => token);
  }

  test("each token has one number, whoever asks for it", async () => {
    const database = await open();
    const first = await numbersOf(database, SUMS, false);
    assert.equal(new Set(first).size, 4);
    assert.equal(first[0], first[3]);
    assert.ok(first.every((token) => typeof token === "number"));
    for (const keep of [true, false, true]) assert.deepEqual(await numbersOf(database, SUMS, keep), first);
    const more = await numbersOf(database, [...SUMS, sumsOf(3, "a")], true);
    assert.deepEqual(more.slice(0, SUMS.length), first);
    assert.equal(new Set(more).size, 5);
    const rows = await database.db.selectFrom("usage_tokens").select("id").execute();
    assert.equal(rows.length, 5);
  });

  test("a number whose step is taken back is given anew", async () => {
    const database = await open();
    const failing = database.db.transaction().execute(async (transaction) => {
      await new TokenNumbers(database).number((work) => work(transaction), SUMS);
      throw new Error("The step fails.");
    });
    await assert.rejects(failing, /The step fails/);
    const numbers = await numbersOf(database, SUMS, true);
    const rows = await database.db.selectFrom("usage_tokens").select("id").execute();
    assert.deepEqual(new Set(rows.map(({ id }) => id)), new Set(numbers));
  });
});
