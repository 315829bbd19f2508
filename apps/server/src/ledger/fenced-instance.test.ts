import assert from "node:assert/strict";
import { after, afterEach, describe, it } from "node:test";
import type { OpenDatabase } from "@one-api/database/open-database";
import { openTestDatabase, whyMissing } from "@one-api/database/test-databases";
import { type Clock, systemClock } from "../core/clock.ts";
import { createTestToken } from "../testing/create-test-token.ts";
import { createTestUser } from "../testing/create-test-user.ts";
import { checkBalances } from "./check-balances.ts";
import { createLedger } from "./create-ledger.ts";
import { type Payer, whenSettled } from "./ledger.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

describe("several processes that share a database", { skip: whyMissing("postgres") ?? false }, () => {
  let database: OpenDatabase | undefined;
  afterEach(async () => {
    if (database !== undefined) assert.deepEqual(await checkBalances(database), [], "the books add up");
  });
  after(() => database?.close());

  async function start(quota: number, clocks: readonly Clock[] = [systemClock, systemClock]) {
    database ??= await openTestDatabase("postgres");
    const shared = database;
    await shared.db.deleteFrom("instances").execute();
    const user = await createTestUser(shared, systemClock, "user", { quota });
    const tokenId = await createTestToken(shared, user.id, 0, true);
    const payer: Payer = { userId: user.id, tokenId, tokenUnlimited: true };
    const processes = clocks.map((clock) => createLedger({ database: shared, clock }));
    for (const { upkeep } of processes) await upkeep.start();
    const [one, other] = processes;
    assert.ok(one !== undefined && other !== undefined);
    const reserve = (process: typeof one, requestId: string, amount: number) =>
      process.ledger.reserve({ ...payer, requestId, amount, createdAt: 1 });
    const settle = (process: typeof one, requestId: string, charge: number | undefined) =>
      whenSettled(process.ledger, { ...payer, requestId, charge, channelId: 0, log: undefined, at: 2 });
    /** The database's clock goes on while one process does not beat. */
    const freeze = async () => {
      const rows = await shared.db.selectFrom("instances").select("id").orderBy("started_at").orderBy("id").execute();
      await shared.db.updateTable("instances").set({ beat_at: 0 }).execute();
      assert.equal(await other.upkeep.beat(), false, "who was taken for dead is told so");
      return rows.length;
    };
    const charged = async (requestId: string) =>
      shared.db.selectFrom("logs").select(["quota", "shortfall"]).where("request_id", "=", requestId).execute();
    return { shared, payer, one, other, reserve, settle, freeze, charged };
  }

  it("charges the rest of an answer to the balance when others had settled what it had delivered", async () => {
    const { one, other, reserve, settle, freeze, charged, payer } = await start(1_000);
    await reserve(one, "frozen", 300);
    await one.ledger.checkpoint([{ requestId: "frozen", channelId: 0, delivered: 40 }]);
    await freeze();
    assert.equal(await other.upkeep.recover(), 1);
    assert.equal(await other.ledger.available(payer, 1), 960);
    assert.deepEqual(await settle(one, "frozen", 200), { settled: true, charged: 200 });
    assert.deepEqual(
      (await charged("frozen")).map((row) => ({ ...row })),
      [{ quota: 200, shortfall: 0 }],
    );
    assert.equal(await other.ledger.available(payer, 1), 800);
    assert.equal((await settle(one, "frozen", 200)).settled, false, "once");
  });

  it("withholds the end when others have spent what was set aside, and charges what was delivered", async () => {
    const { one, other, reserve, settle, freeze, payer } = await start(300);
    await reserve(one, "too-late", 300);
    await freeze();
    await other.upkeep.recover();
    await reserve(other, "quicker", 300);
    assert.deepEqual(await settle(one, "too-late", 200), { settled: false, charged: 0 });
    assert.deepEqual(await settle(other, "quicker", 250), { settled: true, charged: 250 });
    assert.deepEqual(await settle(one, "too-late", 30), { settled: true, charged: 30 });
    assert.equal(await other.ledger.available(payer, 1), 20);
  });

  it("gives back what others charged for an answer that nobody got", async () => {
    const { one, other, reserve, settle, freeze, payer } = await start(1_000);
    await reserve(one, "undelivered", 300);
    await one.ledger.checkpoint([{ requestId: "undelivered", channelId: 0, delivered: 40 }]);
    await freeze();
    await other.upkeep.recover();
    assert.deepEqual(await settle(one, "undelivered", undefined), { settled: true, charged: 0 });
    assert.equal(await other.ledger.available(payer, 1), 1_000);
  });

  it("goes on under a new name, with the holds that nobody has taken yet", async () => {
    const { shared, one, other, reserve, settle, freeze } = await start(1_000);
    await reserve(one, "kept", 300);
    await freeze();
    assert.equal(await one.upkeep.beat(), false);
    assert.equal(await one.upkeep.beat(), true);
    assert.equal(await other.upkeep.recover(), 0);
    assert.equal((await settle(one, "kept", 10)).charged, 10);
    assert.equal((await shared.db.selectFrom("instances").select("id").execute()).length, 2);
  });

  it("asks whether it is alive before it sets anything aside, when it has not beaten for long", async () => {
    let nowMs = 0;
    const sleepy: Clock = { nowMs: () => Date.now(), monotonicMs: () => nowMs };
    const { shared, one, other, reserve, settle } = await start(1_000, [sleepy, systemClock]);
    await shared.db.updateTable("instances").set({ beat_at: 0 }).execute();
    await other.upkeep.beat();
    nowMs += 60_000;
    await reserve(one, "awake", 100);
    assert.equal(await other.upkeep.recover(), 0);
    assert.equal((await settle(one, "awake", 100)).settled, true);
  });

  it("is not taken for dead, and takes nobody for dead, for a clock that goes wrong", async () => {
    const skewed: Clock = { ...systemClock, nowMs: () => Date.now() - DAY_MS };
    const { one, other, reserve, settle } = await start(1_000, [skewed, systemClock]);
    await reserve(one, "skewed", 100);
    assert.equal(await other.upkeep.recover(), 0);
    assert.equal(await one.upkeep.recover(), 0);
    assert.equal((await settle(one, "skewed", 100)).settled, true);
  });

  it("admits exactly as many calls as the quota covers, round after round", async () => {
    for (let round = 0; round < 20; round += 1) {
      const { one, other, reserve, settle, payer } = await start(100 * 7);
      const calls = Array.from({ length: 300 }, async (_, index) => {
        const process = index % 2 === 0 ? one : other;
        const requestId = `round-${round}-${index}`;
        if (!(await reserve(process, requestId, 7)).ok) return 0;
        await settle(process, requestId, 7);
        return 1;
      });
      const admitted = (await Promise.all(calls)).reduce<number>((sum, call) => sum + call, 0);
      assert.equal(admitted, 100);
      assert.equal(await one.ledger.available(payer, 1), 0);
    }
  });
});
