import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { eachDatabase } from "@one-api/database/test-databases";
import { ledgersOf, NOON } from "./testing/test-ledgers.ts";

eachDatabase((open, kind) => {
  const create = ledgersOf(open, afterEach);

  async function start({ unlimited = false } = {}) {
    const ledgers = await create({ quota: 1_000, tokenQuota: 500, unlimited });
    const server = await ledgers.start();
    const reserve = (amount: number, payer = ledgers.payer, by = server) =>
      by.process.batches.reserve({ ...payer, requestId: "batch", amount, createdAt: NOON });
    const settle = (charge: number | undefined, payer = ledgers.payer, by = server) =>
      by.process.batches.settle({ ...by.settlement("batch", charge, payer), log: undefined });
    return { ledgers, server, reserve, settle };
  }

  describe("a batch", () => {
    it("outlives its server, and is settled once", async () => {
      const { ledgers, server, reserve, settle } = await start();
      assert.deepEqual(await reserve(300), { ok: true });
      assert.equal(server.ledger.open, 0, "no request waits for it");
      assert.equal(await server.available(), 200);
      const [row] = await ledgers.owners();
      ledgers.kill(server);
      if (kind === "postgres") await ledgers.recover(row?.id ?? 0);
      const later = await ledgers.start();
      assert.equal(await later.available(), 200);
      assert.equal(await later.process.batches.isOpen("batch"), true);
      assert.deepEqual(await later.reserve("a", 201), { ok: false, refusal: "token-quota" });
      const charges = await Promise.all([120, 120, 120].map((charge) => settle(charge, ledgers.payer, later)));
      assert.equal(charges.filter(({ settled }) => settled).length, 1);
      assert.equal(await later.process.batches.isOpen("batch"), false);
      assert.equal(await later.available(), 380);
      assert.deepEqual(await ledgers.userBalance(), { remaining: 880, used: 120, requests: 1 });
      assert.deepEqual(await ledgers.charges("batch"), [120]);
    });

    it("that was released is never charged", async () => {
      const { ledgers, server, reserve, settle } = await start({ unlimited: true });
      await reserve(700);
      assert.deepEqual(await settle(undefined), { settled: true, charged: 0 });
      assert.deepEqual(await settle(50), { settled: false, charged: 0 });
      assert.equal(await server.available(), 1_000);
      assert.deepEqual(await ledgers.rows(), []);
    });

    it("has its quota back once, however often it is released at the same time", async () => {
      const { server, reserve, settle } = await start({ unlimited: true });
      await reserve(700);
      await Promise.all([settle(undefined), settle(undefined), server.available()]);
      assert.equal(await server.available(), 1_000);
    });

    it("takes above its reservation what nobody else has reserved", async () => {
      const { server, reserve, settle } = await start({ unlimited: true });
      await reserve(300);
      await server.mustReserve("other", 500);
      assert.deepEqual(await settle(900), { settled: true, charged: 500 });
      assert.equal(await server.available(), 0);
      assert.deepEqual(await server.settle("other", 500), { settled: true, charged: 500 });
    });

    it("is refused what the balance does not cover, beside requests in flight", async () => {
      const { server, reserve } = await start({ unlimited: true });
      await server.mustReserve("a", 800);
      assert.deepEqual(await reserve(201), { ok: false, refusal: "user-quota" });
      assert.equal(await server.process.batches.isOpen("batch"), false);
      assert.equal(await server.available(), 200);
      assert.deepEqual(await reserve(200), { ok: true });
    });

    it("reserves quota that servers hold ahead", async () => {
      const { ledgers, server, reserve } = await start();
      await server.call("warm", 1);
      if (kind === "postgres") await (await ledgers.start()).call("warm-2", 1);
      assert.deepEqual(await reserve(498), { ok: true });
      assert.equal((await server.reserve("a", 1)).ok, kind === "sqlite");
    });

    it("is not refused as exhausted what a silent server holds", { skip: kind === "sqlite" }, async () => {
      const { ledgers, server, reserve } = await start();
      const other = await ledgers.start();
      await server.mustReserve("a", 100);
      ledgers.kill(server);
      const outcome = await ledgers.whileTimePasses(reserve(450, ledgers.payer, other));
      assert.deepEqual(outcome, { ok: false, refusal: "held-elsewhere", retryAfterSeconds: 30 });
      assert.deepEqual(await ledgers.whileTimePasses(reserve(400, ledgers.payer, other)), { ok: true });
    });

    it("cannot be reserved twice", async () => {
      const { server, reserve } = await start();
      await reserve(100);
      await assert.rejects(reserve(100));
      assert.equal(await server.available(), 400);
    });

    it("counts in the budget of the period in which it began", async () => {
      const { ledgers, server, reserve, settle } = await start({ unlimited: true });
      const payer = await ledgers.setBudget({ quota: 400, period: "daily" });
      await reserve(300, payer);
      assert.equal(await server.available(NOON, payer), 100);
      await settle(50, payer);
      assert.equal(await server.available(NOON, payer), 350);
      assert.deepEqual(await ledgers.spent(), [50]);
      assert.equal(await server.available(NOON + 24 * 3600, payer), 400);
    });

    it("is refused by a budget, with what is left", async () => {
      const { ledgers, reserve } = await start({ unlimited: true });
      const payer = await ledgers.setBudget({ quota: 100, period: "daily" });
      const outcome = await reserve(101, payer);
      assert.ok(!outcome.ok && outcome.refusal === "user-budget");
      assert.equal(outcome.budget.left, 100);
    });

    it("of a deleted token is charged to its user", async () => {
      const { ledgers, reserve, settle } = await start();
      await reserve(300);
      await ledgers.database.db.deleteFrom("tokens").where("id", "=", ledgers.payer.tokenId).execute();
      assert.deepEqual(await settle(120), { settled: true, charged: 120 });
      assert.deepEqual(await ledgers.userBalance(), { remaining: 880, used: 120, requests: 1 });
    });

    it("is charged once where the answer of its commit was lost", async () => {
      const { ledgers, server, reserve, settle } = await start();
      await reserve(300);
      assert.deepEqual(await settle(120), { settled: true, charged: 120 });
      assert.deepEqual(await settle(120), { settled: false, charged: 0 }, "whoever calls again");
      assert.deepEqual(await ledgers.charges("batch"), [120]);
      assert.equal(await server.available(), 380);
    });
  });
});
