import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { afterEach, it } from "node:test";
import type { OpenDatabase } from "@one-api/database/open-database";
import { eachDatabase } from "@one-api/database/test-databases";
import { systemClock } from "../core/clock.ts";
import { inTransaction } from "../core/transaction.ts";
import { createTestToken } from "../testing/create-test-token.ts";
import { createTestUser } from "../testing/create-test-user.ts";
import { checkBalances } from "./check-balances.ts";
import { createLedger } from "./create-ledger.ts";
import { isHeld } from "./kept-holds.ts";
import { type Payer, whenSettled } from "./ledger.ts";

eachDatabase((open, kind) => {
  let opened: OpenDatabase | undefined;
  afterEach(async () => {
    if (opened !== undefined) assert.deepEqual(await checkBalances(opened), [], "the books add up");
    await opened?.close();
    opened = undefined;
  });

  async function start({ unlimited = false, budgeted = false } = {}) {
    const database = await open();
    opened = database;
    const user = await createTestUser(database, systemClock, "user", { quota: 1_000 });
    const tokenId = await createTestToken(database, user.id, 500, unlimited);
    const payer: Payer = { userId: user.id, tokenId, tokenUnlimited: unlimited, budgeted };
    const requestId = randomUUID();
    const kept = { ...payer, requestId, createdAt: 1, outlivesProcess: true };
    const end = (charge: number | undefined) => ({ ...payer, requestId, channelId: 0, charge, at: 2, log: undefined });
    /** A process of its own on the database, after whatever ran before has died. */
    const boot = async () => {
      await database.db.updateTable("instances").set({ beat_at: 0 }).execute();
      const { ledger, upkeep } = createLedger({ database, clock: systemClock });
      return { ledger, recovered: await upkeep.start() };
    };
    return { database, payer, requestId, kept, end, boot };
  }

  it("what outlives processes counts in every one of them until it is settled, once", async () => {
    const { database, payer, requestId, kept, end, boot } = await start();
    const { ledger } = await boot();
    assert.deepEqual(await ledger.reserve({ ...kept, amount: 300 }), { ok: true });
    assert.equal(ledger.open, 0, "no process waits for it");
    assert.equal(await ledger.available(payer, 1), 200);
    const later = await boot();
    assert.equal(later.recovered, 0);
    assert.equal(await later.ledger.available(payer, 1), 200);
    assert.equal(await isHeld(database.db, requestId), true);
    assert.deepEqual(await later.ledger.reserve({ ...payer, requestId: randomUUID(), amount: 201, createdAt: 1 }), {
      ok: false,
      refusal: "token-quota",
    });
    const charges = await Promise.all([120, 120, undefined].map((charge) => later.ledger.settleKept(end(charge), 300)));
    assert.deepEqual(
      charges.map(({ settled }) => settled),
      [true, false, false],
    );
    assert.equal(await isHeld(database.db, requestId), false);
    assert.equal(await later.ledger.available(payer, 1), 380);
  });

  it("what was released is never charged, and what was charged never released", async () => {
    const { payer, kept, end, boot } = await start({ unlimited: true });
    const { ledger } = await boot();
    await ledger.reserve({ ...kept, amount: 700 });
    assert.deepEqual(await ledger.settleKept(end(undefined), 700), { settled: true, charged: 0 });
    assert.deepEqual(await ledger.settleKept(end(50), 700), { settled: false, charged: 0 });
    assert.equal(await ledger.available(payer, 1), 1_000);
  });

  it("what is given back several times in one commit comes back once", async () => {
    const { payer, kept, end, boot } = await start({ unlimited: true });
    const { ledger } = await boot();
    const release = () => ledger.release({ ...payer, requestId: kept.requestId });
    const settle = () => ledger.settleKept(end(undefined), 700);
    // On SQLite only what a process waits for is released.
    for (const ends of kind === "sqlite"
      ? [[settle, settle]]
      : [
          [settle, settle],
          [release, release, release],
          [settle, release],
        ]) {
      await ledger.reserve({ ...kept, amount: 700 });
      // Behind a commit that is under way, so that all of them are in the next one.
      const underWay = ledger.available(payer, 1);
      await Promise.all([underWay, ...ends.map((one) => one())]);
      assert.equal(await ledger.available(payer, 1), 1_000);
    }
  });

  it("a charge above what was set aside takes what nobody else holds, and no balance goes below zero", async () => {
    const { payer, kept, end, boot } = await start({ unlimited: true });
    const { ledger } = await boot();
    await ledger.reserve({ ...kept, amount: 300 });
    const other = { ...payer, requestId: randomUUID(), createdAt: 1 };
    await ledger.reserve({ ...other, amount: 500 });
    assert.deepEqual(await ledger.settleKept(end(900), 300), { settled: true, charged: 500 });
    assert.equal(await ledger.available(payer, 1), 0);
    const settlement = { ...other, channelId: 0, charge: 500, at: 2, log: undefined };
    assert.deepEqual(await whenSettled(ledger, settlement), { settled: true, charged: 500 });
  });

  it("refuses what the balance does not cover, beside requests in flight", async () => {
    const { payer, kept, boot, database, requestId } = await start({ unlimited: true });
    const { ledger } = await boot();
    await ledger.reserve({ ...payer, requestId: randomUUID(), amount: 800, createdAt: 1 });
    assert.deepEqual(await ledger.reserve({ ...kept, amount: 201 }), { ok: false, refusal: "user-quota" });
    assert.equal(await isHeld(database.db, requestId), false);
    assert.equal(await ledger.available(payer, 1), 200);
  });

  it("counts in the budget of the period in which it began", async () => {
    const { database, payer, kept, end, boot } = await start({ unlimited: true, budgeted: true });
    const { ledger } = await boot();
    const setting = { userId: payer.userId, tokenId: 0, budget: { quota: 400, period: "daily" as const }, at: 0 };
    await inTransaction(database, (transaction) => ledger.quota.setBudget(transaction, setting));
    await ledger.reserve({ ...kept, amount: 300 });
    assert.equal(await ledger.available(payer, 1), 100);
    const later = await boot();
    assert.equal(await later.ledger.available(payer, 1), 100);
    await later.ledger.settleKept(end(50), 300);
    assert.equal(await later.ledger.available(payer, 1), 350);
    assert.equal(await later.ledger.available(payer, 24 * 60 * 60), 400);
  });
});
