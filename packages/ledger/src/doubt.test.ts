import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import { eachDatabase } from "@one-api/database/test-databases";
import { LedgerClosedError, whenSettled } from "./ledger.ts";
import { ledgersOf, logOf } from "./testing/test-ledgers.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";

/** Attempts to reach the database that one caller waits for at most. */
const MOST_ATTEMPTS = 2;

eachDatabase((open) => {
  const start = ledgersOf(open, afterEach);

  describe("a settlement without an answer", () => {
    it("is charged once where it was committed", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      await server.mustReserve("a", 300);
      server.statements.break("settle", "lost");
      await assert.rejects(server.settle("a", 120), DatabaseUnavailableError);
      server.statements.repair();
      assert.deepEqual(await server.settle("a", 120), { settled: true, charged: 120 });
      assert.deepEqual(await ledgers.userBalance(), { remaining: 880, used: 120, requests: 1 });
      assert.equal(await server.available(), 380);
      assert.equal(server.ledger.open, 0);
    });

    it("is charged once where it was not", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      await server.mustReserve("a", 300);
      server.statements.break("settle", "away");
      await assert.rejects(server.settle("a", 120));
      assert.equal(server.ledger.open, 1);
      server.statements.repair();
      assert.equal(await server.available(), 200, "it is reserved as before");
      assert.deepEqual(await server.settle("a", 110), { settled: true, charged: 110 });
      assert.deepEqual(await ledgers.charges("a"), [110]);
    });

    it("is charged once where its statement comes through after the connection broke", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      await server.mustReserve("a", 300);
      server.statements.break("settle", "late");
      await assert.rejects(server.settle("a", 120));
      server.statements.repair();
      await server.mustReserve("b", 10);
      await server.statements.deliver();
      assert.deepEqual(await ledgers.charges("a"), [], "it named an old epoch");
      assert.deepEqual(await server.settle("a", 100), { settled: true, charged: 100 });
      assert.deepEqual(await ledgers.charges("a"), [100]);
    });

    it("is lowered by a refund where less was delivered, once", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      await server.mustReserve("a", 300);
      server.statements.break("settle", "lost");
      await assert.rejects(server.settle("a", 120));
      server.statements.repair();
      await server.mustReserve("b", 10);
      assert.equal((await ledgers.userBalance()).used, 120, "it was committed");
      assert.deepEqual(await server.settle("a", 50), { settled: true, charged: 50 });
      for (const charge of [50, 20, undefined])
        assert.deepEqual(await server.settle("a", charge), { settled: true, charged: 50 }, "one refund at most");
      assert.deepEqual(await ledgers.userBalance(), { remaining: 950, used: 50, requests: 1 });
      assert.deepEqual(await ledgers.tokenBalance(), { remaining: 450, used: 50 });
      assert.equal(await server.available(), 440);
      assert.equal((await ledgers.rows()).length, 2);
    });

    it("is refunded whole where nothing was delivered after all, and the refund is there to be spent", async () => {
      const ledgers = await start({ quota: 300, tokenQuota: 300 });
      const server = await ledgers.start();
      await server.mustReserve("a", 300);
      server.statements.break("settle", "lost");
      await assert.rejects(server.settle("a", 300));
      server.statements.repair();
      assert.deepEqual(await server.drop("a"), { settled: true, charged: 0 });
      assert.equal(await server.call("b", 300), 300);
      await server.ledger.applyCharges();
      assert.deepEqual(await ledgers.userBalance(), { remaining: 0, used: 300, requests: 2 });
      assert.deepEqual(ledgers.warnings, []);
    });

    it("is never raised where it was committed", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      await server.mustReserve("a", 300);
      server.statements.break("settle", "lost");
      await assert.rejects(server.settle("a", 50));
      server.statements.repair();
      assert.deepEqual(await server.settle("a", 120), { settled: true, charged: 50 });
      assert.deepEqual(await ledgers.charges("a"), [50]);
    });

    it("that was committed is found however long the database refuses to say so", async (context) => {
      const ledgers = await start();
      const server = await ledgers.start();
      await server.mustReserve("a", 300);
      server.statements.break("settle", "lost");
      await assert.rejects(server.settle("a", 120));
      server.statements.repair();
      await server.mustReserve("b", 10);
      context.mock.timers.enable({ apis: ["setTimeout"] });
      server.statements.refuse("look", new Error("not now"));
      await assert.rejects(server.settle("a", 120));
      server.statements.repair();
      context.mock.timers.tick(600_000);
      assert.deepEqual(await server.settle("a", 50), { settled: true, charged: 50 });
      assert.deepEqual(await server.settle("a", 20), { settled: true, charged: 50 }, "one refund at most");
      assert.equal(server.ledger.open, 1);
    });

    it("gives two callers who ask for a refund at the same time one refund", async () => {
      const ledgers = await start({ quota: 300, tokenQuota: 300 });
      const server = await ledgers.start();
      await server.mustReserve("a", 300);
      server.statements.break("settle", "lost");
      await assert.rejects(server.settle("a", 300));
      server.statements.repair();
      await server.mustReserve("z", 0);
      await Promise.allSettled([server.settle("a", 100), server.settle("a", 100), server.settle("a", 100)]);
      assert.equal((await server.settle("a", 100)).charged, 100);
      assert.equal(await server.call("b", 200), 200);
      await server.ledger.applyCharges();
      assert.equal((await ledgers.userBalance()).remaining, 0);
      assert.equal(await server.reserve("c", 1).then(({ ok }) => ok), false, "nothing is refunded twice");
    });

    it("is put right where its commit came just when the caller was told that it failed", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      await server.mustReserve("a", 300);
      const settled = new Promise<void>((resolve) => {
        server.ledger.settle(
          server.settlement("a", 120),
          () => resolve(),
          () => true,
        );
      });
      await settled;
      assert.equal(server.ledger.open, 0);
      assert.deepEqual(await server.settle("a", undefined), { settled: true, charged: 0 });
      assert.equal((await ledgers.userBalance()).remaining, 1_000);
      assert.equal(await server.available(), 500);
    });

    it("says nothing of the requests beside it: each is charged its own", async () => {
      const ledgers = await start({ quota: 10_000, tokenQuota: 10_000 });
      const server = await ledgers.start();
      const ids = Array.from({ length: 30 }, (_, index) => `r${index}`);
      await Promise.all(ids.map((id) => server.mustReserve(id, 100)));
      server.statements.break("settle", "lost");
      await Promise.allSettled(ids.slice(0, 10).map((id) => server.settle(id, 30)));
      server.statements.break("settle", "late");
      await Promise.allSettled(ids.slice(10, 20).map((id) => server.settle(id, 40)));
      server.statements.repair();
      const outcomes = await Promise.all(ids.map((id) => server.settle(id, 50)));
      await server.statements.deliver();
      assert.deepEqual(
        outcomes.map(({ charged }) => charged),
        ids.map((_, index) => (index < 10 ? 30 : 50)),
      );
      await server.ledger.applyCharges();
      assert.equal((await ledgers.userBalance()).used, 10 * 30 + 20 * 50);
    });

    it("is settled again beside a row that moves no money: that is no entry of the journal", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      for (const id of ["free", "a"]) await server.mustReserve(id, 100);
      server.statements.break("apply", "held");
      assert.deepEqual(await server.settle("free", undefined), { settled: true, charged: 0 });
      server.statements.break("settle", "away");
      await assert.rejects(server.settle("a", 30), DatabaseUnavailableError);
      server.statements.repair();
      await server.statements.deliver();
      assert.deepEqual(await server.settle("a", 30), { settled: true, charged: 30 });
      assert.deepEqual(ledgers.outdated, []);
    });
  });

  describe("quota in doubt", () => {
    for (const fault of ["lost", "late", "away"] as const) {
      it(`is neither lost nor doubled when an acquire is ${fault}`, async () => {
        const ledgers = await start({ quota: 1_000, tokenQuota: 1_000 });
        const server = await ledgers.start();
        server.statements.break("acquire", fault);
        await assert.rejects(server.reserve("a", 100), DatabaseUnavailableError);
        server.statements.repair();
        assert.equal(await server.available(), 1_000);
        await server.statements.deliver();
        await server.mustReserve("b", 1_000);
        assert.equal((await server.reserve("c", 1)).ok, false);
      });

      it(`is neither lost nor doubled when a return is ${fault}`, async () => {
        const ledgers = await start({ quota: 1_000, tokenQuota: 1_000 });
        const server = await ledgers.start();
        await server.mustReserve("a", 100);
        server.statements.break("returnLeftovers", fault);
        await assert.rejects(server.quota.reclaimUserQuota(ledgers.payer.userId));
        server.statements.repair();
        assert.equal(await server.available(), 900);
        await server.statements.deliver();
        await server.mustReserve("b", 900);
        assert.equal((await server.reserve("c", 1)).ok, false);
        await server.settle("a", 100);
        await server.settle("b", 900);
      });

      it(`is charged once when an apply is ${fault}`, async () => {
        const ledgers = await start({ quota: 1_000, tokenQuota: 1_000 });
        const server = await ledgers.start();
        await server.call("a", 100);
        server.statements.break("apply", fault);
        await assert.rejects(server.ledger.applyCharges());
        server.statements.repair();
        assert.equal(await server.available(), 900);
        await server.statements.deliver();
        await server.ledger.applyCharges();
        assert.equal((await ledgers.userBalance()).remaining, 900);
        await server.mustReserve("b", 900);
        assert.equal((await server.reserve("c", 1)).ok, false);
      });
    }

    it("stays reserved for the requests that run", async () => {
      const ledgers = await start({ quota: 1_000, tokenQuota: 1_000 });
      const server = await ledgers.start();
      for (const id of ["a", "b"]) await server.mustReserve(id, 400);
      server.statements.break("acquire", "lost");
      await server.quota.reclaimUserQuota(ledgers.payer.userId);
      await assert.rejects(server.reserve("c", 150));
      server.statements.repair();
      assert.equal(await server.available(), 200);
      assert.equal((await server.reserve("d", 201)).ok, false);
      for (const id of ["a", "b"]) assert.equal((await server.settle(id, 400)).charged, 400);
      assert.equal((await ledgers.userBalance()).remaining, 200);
    });

    it("is counted right after an apply that the database refused", async () => {
      const ledgers = await start({ quota: 1_000, tokenQuota: 1_000 });
      const server = await ledgers.start();
      await server.call("a", 100);
      const refused = new Error("refused, not lost");
      const { statements } = server;
      statements.refuse("apply", refused);
      await assert.rejects(server.ledger.applyCharges(), refused);
      statements.repair();
      await server.ledger.applyCharges();
      await server.quota.reclaimUserQuota(ledgers.payer.userId);
      const left = await ledgers.transaction((transaction) =>
        server.quota.lockUserPool(transaction, ledgers.payer.userId),
      );
      assert.equal(left, 900, "nothing stays with the server");
    });
  });

  describe("a database that is away", () => {
    it("keeps no caller of a queue longer than two attempts to reach it", async () => {
      const ledgers = await start({ quota: 1_000_000, tokenQuota: 1_000_000 });
      const server = await ledgers.start();
      server.statements.break("all", "away");
      const waiting = Array.from({ length: 200 }, (_, index) => server.reserve(`r${index}`, 10));
      const others = Array.from({ length: 200 }, () => server.available());
      const outcomes = await Promise.allSettled([...waiting, ...others]);
      assert.ok(outcomes.every(({ status }) => status === "rejected"));
      const attempts = server.statements.count("raise");
      assert.ok(attempts <= MOST_ATTEMPTS, `${attempts} attempts`);
      server.statements.repair();
      await server.mustReserve("back", 10);
    });

    it("keeps open requests, and what they were charged before, until it is back", async () => {
      const ledgers = await start({ quota: 10_000, tokenQuota: 10_000 });
      const server = await ledgers.start();
      for (let index = 0; index < 20; index += 1) await server.mustReserve(`r${index}`, 100);
      await server.settle("r0", 70);
      server.statements.break("all", "away");
      const tries = Array.from({ length: 19 }, (_, index) => server.settle(`r${index + 1}`, 50));
      assert.ok((await Promise.allSettled(tries)).every(({ status }) => status === "rejected"));
      await waitUntil(() => server.statements.count("raise") >= 3);
      assert.equal(server.ledger.open, 19);
      server.statements.repair();
      const again = Array.from({ length: 19 }, (_, index) => server.settle(`r${index + 1}`, 50));
      assert.ok((await Promise.all(again)).every(({ charged }) => charged === 50));
      assert.equal((await ledgers.userBalance()).used, 70 + 19 * 50);
    });

    it("ends a ledger that is closed meanwhile: nothing is tried any more", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      await server.mustReserve("a", 100);
      await server.checkpoint("a", 10);
      server.statements.break("all", "away");
      await assert.rejects(server.settle("a", 50));
      await server.ledger.close();
      await assert.rejects(server.settle("a", 50), LedgerClosedError);
      const { length } = server.statements.sent;
      server.statements.repair();
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(server.statements.sent.length, length);
    });

    it("writes rows without a charge again when it is back", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      const row = { ...logOf(ledgers.payer, "free"), token_id: 0 };
      server.statements.break("writeLogs", "lost");
      await assert.rejects(server.ledger.writeLogs([row]));
      server.statements.repair();
      await server.ledger.writeLogs([row]);
      assert.equal((await ledgers.rows()).length, 1);
    });
  });

  describe("a database that is older than the server", () => {
    it("ends the server: an entry that was acknowledged is missing", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      await server.mustReserve("a", 100);
      await server.mustReserve("b", 100);
      server.statements.break("apply", "held");
      await server.settle("a", 50);
      await ledgers.database.db.deleteFrom("logs").execute();
      ledgers.isDamaged = true;
      server.statements.break("settle", "away");
      await assert.rejects(server.settle("b", 50));
      await waitUntil(() => ledgers.outdated.length === 1);
      await assert.rejects(server.reserve("c", 1), LedgerClosedError);
    });

    it("ends the server: its epoch is lower", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      await server.mustReserve("a", 100);
      server.statements.break("settle", "away");
      await assert.rejects(whenSettled(server.ledger, server.settlement("a", 50)));
      server.statements.repair();
      await waitUntil(() => server.process.isLive);
      ledgers.isDamaged = true;
      await ledgers.database.db.updateTable("owners").set({ epoch: 0 }).execute();
      await assert.rejects(server.settle("a", 50));
      await waitUntil(() => ledgers.outdated.length === 1);
    });
  });
});
