import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { eachDatabase } from "@one-api/database/test-databases";
import { checkBalances } from "./check-balances.ts";
import { ledgersOf, logOf, NOON, type TestLedgers } from "./testing/test-ledgers.ts";

const LATER = NOON + 3_600;

eachDatabase((open) => {
  const start = ledgersOf(open, afterEach);

  const clear = (ledgers: TestLedgers, changes: { before?: number; retainChargesFrom?: number; last?: number } = {}) =>
    ledgers.transaction((transaction) =>
      ledgers.quota.clearLogs(transaction, {
        before: LATER,
        retainChargesFrom: LATER,
        after: 0,
        last: 1_000,
        at: LATER,
        onRemoved: () => Promise.resolve(),
        ...changes,
      }),
    );

  describe("clearing the log", () => {
    it("keeps what was charged as sums, so that balances still add up", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      const payer = await ledgers.setBudget({ quota: 1_000, period: "daily" });
      for (let round = 0; round < 2; round += 1) {
        for (const id of ["a", "b", "c"]) await server.call(`${id}${round}`, 20, payer);
        await server.ledger.applyCharges();
        assert.equal(await clear(ledgers), 3);
        assert.deepEqual(await ledgers.rows(), []);
        assert.deepEqual(await checkBalances(ledgers.database), []);
      }
      assert.deepEqual(await ledgers.userBalance(), { remaining: 880, used: 120, requests: 6 });
      assert.deepEqual(await ledgers.spent(), [120]);
      const query = ledgers.database.db
        .selectFrom("ledger_entries")
        .select("user_amount")
        .where("kind", "=", "cleared");
      assert.deepEqual(await query.execute(), [{ user_amount: -120 }], "one entry of a user and a token");
    });

    it("keeps a charge that no share has paid yet", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      await server.call("applied", 20);
      await server.ledger.applyCharges();
      server.statements.break("apply", "held");
      await server.call("unapplied", 30);
      assert.equal(await clear(ledgers), 1);
      assert.equal((await ledgers.rows()).length, 1);
      assert.deepEqual(await checkBalances(ledgers.database), []);
      assert.equal((await ledgers.userBalance()).remaining, 950);
    });

    it("keeps a charge whose request has a checkpoint: its server may be declared dead", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      await server.mustReserve("a", 100);
      await server.checkpoint("a", 40);
      await server.settle("a", 50);
      await server.ledger.applyCharges();
      assert.equal(await ledgers.checkpoints(), 1);
      assert.equal(await clear(ledgers), 0);
      assert.deepEqual(await ledgers.charges("a"), [50]);
    });

    it("hides charges that a settlement may still ask for", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      await server.call("a", 20);
      await server.ledger.applyCharges();
      assert.equal(await clear(ledgers, { retainChargesFrom: NOON }), 1);
      assert.deepEqual(
        (await ledgers.rows()).map(({ quota, hidden }) => [quota, hidden]),
        [[20, 1]],
      );
      assert.equal(await clear(ledgers, { retainChargesFrom: NOON }), 0, "nobody could see it any more");
      assert.equal(await clear(ledgers), 0);
      assert.deepEqual(await ledgers.rows(), []);
    });

    it("removes a charge together with its refund", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      await server.mustReserve("a", 300);
      server.statements.break("settle", "lost");
      await assert.rejects(server.settle("a", 120));
      server.statements.repair();
      assert.equal((await server.settle("a", 50)).charged, 50);
      await server.ledger.applyCharges();
      await clear(ledgers);
      assert.deepEqual(await ledgers.rows(), []);
      assert.deepEqual(await ledgers.userBalance(), { remaining: 950, used: 50, requests: 1 });
    });

    it("removes what is in its range alone", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      await server.ledger.writeLogs([{ ...logOf(ledgers.payer, "x"), token_id: 0 }]);
      await server.call("a", 20);
      await server.ledger.applyCharges();
      assert.equal(await clear(ledgers, { before: NOON }), 0);
      assert.equal(await clear(ledgers, { last: 0 }), 0);
      assert.equal((await ledgers.rows()).length, 2);
    });
  });
});
