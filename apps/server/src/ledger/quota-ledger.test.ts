import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { OpenDatabase } from "@one-api/database/open-database";
import { eachDatabase } from "@one-api/database/test-databases";
import { inTransaction } from "../core/transaction.ts";
import { createTestToken } from "../testing/create-test-token.ts";
import { createTestUser } from "../testing/create-test-user.ts";
import { createTestClock } from "../testing/test-clock.ts";
import { checkBalances } from "./check-balances.ts";
import { createLedger } from "./create-ledger.ts";

describe("quota given in the caller's transaction", () => {
  eachDatabase((open) => {
    async function start(quota: number) {
      const database = await open();
      const user = await createTestUser(database, createTestClock(), "user", { quota });
      const { ledger } = createLedger({ database, clock: createTestClock() });
      return { database, userId: user.id, ledger, quotaLedger: ledger.quota };
    }
    const quotaOf = async ({ db }: OpenDatabase, id: number) =>
      (await db.selectFrom("user_balances").select("remaining").where("user_id", "=", id).executeTakeFirst())
        ?.remaining;
    const entriesOf = ({ db }: OpenDatabase, userId: number) =>
      db
        .selectFrom("ledger_entries")
        .select(["kind", "token_id", "user_amount", "token_amount", "note", "created_at"])
        .where("user_id", "=", userId)
        .orderBy("id", "desc")
        .execute();

    test("a grant adds to the balance and stands in the ledger with its reason; one below zero takes away", async () => {
      const { database, userId, quotaLedger } = await start(1_000);
      assert.equal(await quotaLedger.grant(database.db, { userId, amount: 500, note: "gift", at: 7 }), true);
      assert.equal(await quotaLedger.grant(database.db, { userId, amount: -1_200, note: "taken", at: 8 }), true);
      assert.equal(await quotaOf(database, userId), 300);
      const [taken, gift] = await entriesOf(database, userId);
      assert.deepEqual(
        { ...gift },
        { kind: "grant", token_id: 0, user_amount: 500, token_amount: 0, note: "gift", created_at: 7 },
      );
      assert.deepEqual([taken?.user_amount, taken?.note], [-1_200, "taken"]);
      assert.deepEqual(await checkBalances(database), []);
    });

    test("a grant that leaves less than nothing, more than a number holds, or nobody richer changes nothing", async () => {
      const { database, userId, quotaLedger } = await start(1_000);
      const before = await entriesOf(database, userId);
      for (const grant of [
        { userId, amount: -1_001 },
        { userId, amount: Number.MAX_SAFE_INTEGER - 999 },
        { userId: 999_999, amount: 5 },
      ])
        assert.equal(await quotaLedger.grant(database.db, { ...grant, note: "", at: 1 }), false);
      assert.equal(await quotaLedger.grant(database.db, { userId, amount: 0, note: "", at: 1 }), true);
      assert.deepEqual(await entriesOf(database, userId), before);
      assert.equal(await quotaOf(database, userId), 1_000);
    });

    test("what the caller's transaction does not keep, neither the balance nor the ledger keeps", async () => {
      const { database, userId, quotaLedger } = await start(1_000);
      const tokenId = await createTestToken(database, userId, 100);
      const before = await entriesOf(database, userId);
      const refusal = new Error("refused");
      await assert.rejects(
        inTransaction(database, async (transaction) => {
          await quotaLedger.grant(transaction, { userId, amount: 500, note: "", at: 1 });
          await quotaLedger.allot(transaction, { userId, tokenId, from: 100, to: 400, at: 1 });
          throw refusal;
        }),
        refusal,
      );
      assert.deepEqual(await entriesOf(database, userId), before);
      assert.deepEqual(await checkBalances(database), []);
    });

    test("a token is allotted quota once among many who read the same, and only by its owner", async () => {
      const { database, userId, quotaLedger } = await start(1_000);
      const tokenId = await createTestToken(database, userId, 100);
      const tries = [200, 300, 400].map((to) =>
        inTransaction(database, (transaction) =>
          quotaLedger.allot(transaction, { userId, tokenId, from: 100, to, at: 1 }),
        ),
      );
      assert.equal((await Promise.all(tries)).filter(Boolean).length, 1);
      const stolen = { userId: userId + 1, tokenId, from: 200, to: 5, at: 1 };
      assert.equal(await quotaLedger.allot(database.db, stolen), false);
      assert.deepEqual(await checkBalances(database), []);
    });

    test("while a user's quota is held, nothing is taken from it", async () => {
      const { database, userId, ledger, quotaLedger } = await start(1_000);
      const tokenId = await createTestToken(database, userId, 1_000);
      let taken = false;
      const reservation = { requestId: "held", userId, tokenId, tokenUnlimited: false, amount: 600, createdAt: 1 };
      const reserving = await inTransaction(database, async (transaction) => {
        const held = await quotaLedger.holdUserQuota(transaction, userId);
        const reserve = Promise.resolve(ledger.reserve(reservation)).then((outcome) => {
          taken = true;
          return outcome;
        });
        for (let look = 0; look < 20; look += 1) {
          const row = await transaction
            .selectFrom("user_balances")
            .select("remaining")
            .where("user_id", "=", userId)
            .executeTakeFirst();
          assert.equal(row?.remaining, held);
        }
        assert.equal(taken, false);
        return { reserve };
      });
      assert.deepEqual(await reserving.reserve, { ok: true });
      assert.equal(await ledger.available({ userId, tokenId, tokenUnlimited: false }, 1), 400);
      assert.equal(await quotaLedger.holdUserQuota(database.db, 999_999), 0);
      await ledger.close();
    });
  });
});
