import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, afterEach, describe, it } from "node:test";
import type { OpenDatabase } from "@one-api/database/open-database";
import { openTestDatabase, whyMissing } from "@one-api/database/test-databases";
import { sql } from "kysely";
import { type Clock, systemClock } from "../../core/clock.ts";
import { inTransaction } from "../../core/transaction.ts";
import { createTestToken } from "../../testing/create-test-token.ts";
import { createTestUser } from "../../testing/create-test-user.ts";
import { waitUntil } from "../../testing/wait-until.ts";
import { checkBalances } from "../check-balances.ts";
import { createLedger } from "../create-ledger.ts";
import { type Payer, type ReserveOutcome, whenSettled } from "../ledger.ts";

type Process = ReturnType<typeof createLedger>;

const HELD: ReserveOutcome = { ok: true };

describe("quota that is set aside in advance", { skip: whyMissing("postgres") ?? false }, () => {
  let database: OpenDatabase | undefined;
  let running: Process[] = [];
  afterEach(async () => {
    if (database === undefined) return;
    assert.deepEqual(await checkBalances(database), [], "the books add up");
    for (const { upkeep } of running) await upkeep.stop();
    running = [];
    assert.deepEqual(await leases(), [], "whoever stops gives back what it had set aside");
    assert.deepEqual(await checkBalances(database), [], "the books add up after the end");
  });
  after(() => database?.close());

  async function leases() {
    const rows = await database?.db.selectFrom("quota_leases").select(["amount", "token_amount", "closed"]).execute();
    return rows?.map((row) => ({ ...row }));
  }

  async function start(quota: number, tokenQuota?: number, clock: Clock = systemClock, ofOne?: OpenDatabase) {
    database ??= await openTestDatabase("postgres");
    const shared = database;
    await shared.db.deleteFrom("instances").execute();
    const user = await createTestUser(shared, systemClock, "user", { quota });
    const tokenId = await createTestToken(shared, user.id, tokenQuota ?? 0, tokenQuota === undefined);
    const payer: Payer = { userId: user.id, tokenId, tokenUnlimited: tokenQuota === undefined };
    const one = createLedger({ database: ofOne ?? shared, clock });
    const other = createLedger({ database: shared, clock: systemClock });
    running = [one, other];
    for (const { upkeep } of running) await upkeep.start();
    const reserve = ({ ledger }: Process, amount: number, callerVersion = 0, requestId = randomUUID()) => ({
      requestId,
      outcome: ledger.reserve({ ...payer, requestId, amount, createdAt: 1, callerVersion }),
    });
    const settle = ({ ledger }: Process, requestId: string, charge: number | undefined) =>
      whenSettled(ledger, { ...payer, requestId, charge, channelId: 0, log: undefined, at: 2 });
    const isPaidAhead = async (process: Process, amount: number, callerVersion = 0) => {
      const { requestId, outcome } = reserve(process, amount, callerVersion);
      if ((await outcome).ok) await process.ledger.release({ ...payer, requestId });
      return !(outcome instanceof Promise);
    };
    const call = async (process: Process, amount: number, callerVersion = 0) => {
      const { requestId, outcome } = reserve(process, amount, callerVersion);
      const { ok } = await outcome;
      if (ok) await settle(process, requestId, amount);
      return ok;
    };
    /** Calls until one is paid for in advance: then nothing is waited for. */
    const warm = async (process: Process, amount: number, callerVersion = 0) => {
      await waitUntil(() => isPaidAhead(process, amount, callerVersion));
    };
    const books = async () => {
      const read = { user: "user_balances", token: "token_balances" } as const;
      const userRow = shared.db.selectFrom(read.user).select(["remaining", "used"]).where("user_id", "=", user.id);
      const tokenRow = shared.db.selectFrom(read.token).select(["remaining", "used"]).where("token_id", "=", tokenId);
      return {
        user: { ...(await userRow.executeTakeFirstOrThrow()) },
        token: { ...(await tokenRow.executeTakeFirstOrThrow()) },
      };
    };
    /** The others take this process for dead. */
    const declareDead = async (process: Process, by: Process) => {
      await shared.db.updateTable("instances").set({ beat_at: 0 }).execute();
      assert.equal(await by.upkeep.beat(), false);
      await by.upkeep.recover();
      return process;
    };
    return { shared, payer, one, other, reserve, isPaidAhead, settle, call, warm, books, declareDead };
  }

  it("pays for whoever comes again without a row, and charges what the answer costs, once", async () => {
    const { shared, payer, one, reserve, settle, warm, books } = await start(100_000, 50_000);
    await warm(one, 100);
    const { requestId, outcome } = reserve(one, 100);
    assert.deepEqual(outcome, HELD, "at once");
    assert.deepEqual(await shared.db.selectFrom("relay_holds").select("request_id").execute(), []);
    assert.equal(one.ledger.open, 1);
    assert.deepEqual((await books()).user, { remaining: 100_000, used: 0 }, "what is set aside stays in the balance");
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => settle(one, requestId, 70)));
    assert.equal(outcomes.filter(({ settled }) => settled).length, 1);
    assert.deepEqual(await books(), {
      user: { remaining: 99_930, used: 70 },
      token: { remaining: 49_930, used: 70 },
    });
    assert.equal(one.ledger.open, 0);
    const available = await one.ledger.available(payer, 1);
    assert.ok(available < 49_930 && available >= 49_930 - 400, `${available}, the rest is set aside`);
  });

  it("is for callers with plenty alone, and for no request that is more than what is set aside", async () => {
    const few = await start(16 * 4 * 100 - 1);
    for (let index = 0; index < 5; index += 1) assert.ok(await few.call(few.one, 100));
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    assert.equal(await few.isPaidAhead(few.one, 100), false);
    assert.deepEqual(await leases(), []);
  });

  it("is set aside by nobody who could not hear of a caller's change, as others could not use it then", async () => {
    database ??= await openTestDatabase("postgres");
    const deaf: OpenDatabase = { ...database, listen: () => ({ stop: () => Promise.resolve() }) };
    const { one, call } = await start(100_000_000, undefined, systemClock, deaf);
    const untilMs = performance.now() + 2_500;
    while (performance.now() < untilMs) assert.ok(await call(one, 100));
    assert.deepEqual(await leases(), []);
  });

  it("pays for no call that nothing is set aside for any more, however many come at once", async () => {
    const { one, reserve, settle, warm, books } = await start(100_000);
    await warm(one, 100);
    const calls = Array.from({ length: 40 }, () => reserve(one, 100));
    const atOnce = calls.filter(({ outcome }) => !(outcome instanceof Promise));
    const [lease] = (await leases()) ?? [];
    assert.equal(atOnce.length, (lease?.amount ?? 0) / 100);
    for (const { requestId, outcome } of calls) {
      assert.deepEqual(await outcome, HELD);
      await settle(one, requestId, 100);
    }
    assert.deepEqual((await books()).user, { remaining: 96_000, used: 4_000 });
  });

  it("admits exactly as many calls as the quota covers over two processes, round after round", async () => {
    for (let round = 0; round < 4; round += 1) {
      const { one, other, call, warm, payer } = await start(700);
      await warm(one, 7);
      await warm(other, 7);
      const calls = Array.from({ length: 300 }, async (_, index) =>
        (await call(round % 2 === 0 || index % 2 === 0 ? one : other, 7)) ? 1 : 0,
      );
      const admitted = (await Promise.all(calls)).reduce<number>((sum, each) => sum + each, 0);
      assert.equal(admitted, 100);
      assert.equal(await other.ledger.available(payer, 1), 0);
      for (const { upkeep } of running) await upkeep.stop();
    }
  });

  it("comes back from a process that does not need it where another falls short", async () => {
    const { one, other, reserve, settle, warm, call } = await start(1_000);
    await warm(one, 10);
    const open = reserve(one, 10);
    assert.deepEqual(open.outcome, HELD);
    assert.ok(await call(other, 990), "all but what the open request needs");
    assert.deepEqual(await leases(), [{ amount: 10, token_amount: 0, closed: 1 }]);
    assert.deepEqual(await settle(one, open.requestId, 10), { settled: true, charged: 10 });
    assert.equal(await call(one, 1), false);
    await waitUntil(async () => (await leases())?.length === 0);
  });

  it("says that it has nothing to give back where all of it is in use", async () => {
    const { one, other, reserve, settle, warm, call } = await start(1_000);
    await warm(one, 10);
    const open = Array.from({ length: 4 }, () => reserve(one, 10));
    for (const { outcome } of open) assert.deepEqual(outcome, HELD);
    assert.equal(await call(other, 970), false);
    assert.deepEqual(await leases(), [{ amount: 40, token_amount: 0, closed: 1 }]);
    for (const { requestId } of open) assert.deepEqual(await settle(one, requestId, 5), { settled: true, charged: 5 });
    await waitUntil(async () => (await leases())?.length === 0);
    assert.ok(await call(other, 980));
  });

  it("covers its requests whatever else is taken from the balance and from the token", async () => {
    const { shared, payer, one, reserve, settle, warm, call, books } = await start(10_000, 10_000);
    await warm(one, 100);
    const open = [reserve(one, 100), reserve(one, 100)];
    for (const { outcome } of open) assert.deepEqual(outcome, HELD);
    await one.ledger.quota.recallUserQuota(payer.userId);
    const free = await inTransaction(shared, (transaction) =>
      one.ledger.quota.holdUserQuota(transaction, payer.userId),
    );
    assert.equal(free, 9_800);
    const grant = (amount: number) =>
      inTransaction(shared, (transaction) =>
        one.ledger.quota.grant(transaction, { userId: payer.userId, amount, note: "", at: 1 }),
      );
    assert.equal(await grant(-9_801), false);
    assert.equal(await grant(-9_800), true);
    assert.equal(await call(one, 1), false);
    for (const { requestId } of open)
      assert.deepEqual(await settle(one, requestId, 100), { settled: true, charged: 100 });
    assert.deepEqual(await books(), { user: { remaining: 0, used: 200 }, token: { remaining: 9_800, used: 200 } });
  });

  it("a token that its owner leaves less than is set aside pays for what it can, and the owner for all", async () => {
    const { shared, payer, one, reserve, settle, warm, books } = await start(10_000, 8_000);
    await warm(one, 100);
    const open = [reserve(one, 100), reserve(one, 100)];
    for (const { outcome } of open) assert.deepEqual(outcome, HELD);
    const allotted = await inTransaction(shared, (transaction) =>
      one.ledger.quota.allot(transaction, { ...payer, from: 8_000, to: 150, at: 1 }),
    );
    assert.ok(allotted);
    for (const { requestId } of open)
      assert.deepEqual(await settle(one, requestId, 100), { settled: true, charged: 100 });
    assert.deepEqual(await books(), { user: { remaining: 9_800, used: 200 }, token: { remaining: 0, used: 200 } });
  });

  it("pays for nobody who has changed until the database was asked", async () => {
    const { shared, payer, one, reserve, isPaidAhead, warm, call } = await start(100_000);
    await warm(one, 10);
    await shared.db.updateTable("tokens").set({ name: "another" }).where("id", "=", payer.tokenId).execute();
    await waitUntil(async () => !(await isPaidAhead(one, 10)));
    assert.deepEqual(await reserve(one, 10).outcome, { ok: false, refusal: "caller-changed" });
    assert.ok(await call(one, 10, 1));
    await warm(one, 10, 1);
    assert.deepEqual(await reserve(one, 10).outcome, { ok: false, refusal: "caller-changed" });
  });

  it("pays for nobody while it cannot hear of changes, and misses none of that time", async () => {
    const { shared, payer, one, reserve, isPaidAhead, warm } = await start(100_000);
    await warm(one, 10);
    const cut = async () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%'`.execute(shared.db);
    const cutting = setInterval(() => void cut(), 20);
    await cut();
    await shared.db.updateTable("tokens").set({ name: "unheard" }).where("id", "=", payer.tokenId).execute();
    await waitUntil(async () => !(await isPaidAhead(one, 10)));
    clearInterval(cutting);
    for (let index = 0; index < 150; index += 1) {
      assert.deepEqual(await reserve(one, 10).outcome, { ok: false, refusal: "caller-changed" });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await warm(one, 10, 1);
  });

  it("listens anew where a connection says nothing any more", async () => {
    database ??= await openTestDatabase("postgres");
    const { listen } = database;
    assert.ok(listen);
    let calls = 0;
    const { one, warm } = await start(100_000, undefined, systemClock, {
      ...database,
      listen: (channel, listener) => {
        calls += 1;
        return calls === 1 ? { stop: async () => undefined } : listen(channel, listener);
      },
    });
    await warm(one, 10);
    assert.equal(calls, 2);
  });

  it("is given back by others when its process died, and what that had noted is charged", async () => {
    const { payer, one, other, reserve, settle, warm, declareDead, books, shared } = await start(1_000, 1_000);
    await warm(one, 10);
    const [noted, unnoted] = [reserve(one, 10), reserve(one, 10)];
    for (const { outcome } of [noted, unnoted]) assert.deepEqual(outcome, HELD);
    await one.ledger.checkpoint([{ requestId: noted.requestId, channelId: 0, delivered: 4 }]);
    assert.equal((await shared.db.selectFrom("relay_holds").select("request_id").execute()).length, 1);
    await declareDead(one, other);
    assert.deepEqual(await books(), { user: { remaining: 996, used: 4 }, token: { remaining: 996, used: 4 } });
    assert.deepEqual(await leases(), []);
    assert.equal(await other.ledger.available(payer, 1), 996);
    assert.deepEqual(await settle(one, noted.requestId, 10), { settled: true, charged: 10 }, "the rest is charged");
    await one.ledger.release({ ...payer, requestId: unnoted.requestId });
    assert.deepEqual((await books()).user, { remaining: 990, used: 10 });
  });

  it("a process that was taken for dead books what the balance still covers, and withholds what it does not", async () => {
    const { one, other, reserve, isPaidAhead, settle, call, warm, declareDead, payer } = await start(1_000);
    await warm(one, 10);
    const [first, second] = [reserve(one, 10), reserve(one, 10)];
    for (const { outcome } of [first, second]) assert.deepEqual(outcome, HELD);
    await declareDead(one, other);
    assert.ok(await call(other, 985));
    assert.deepEqual(await settle(one, first.requestId, 10), { settled: true, charged: 10 });
    assert.deepEqual(await settle(one, second.requestId, 10), { settled: false, charged: 0 });
    assert.deepEqual(await settle(one, second.requestId, 5), { settled: true, charged: 5 });
    assert.equal(await one.upkeep.beat(), false);
    assert.equal(await isPaidAhead(one, 0), false);
    assert.equal(await other.ledger.available(payer, 1), 0);
  });

  it("a process that was taken for dead keeps what nobody has taken yet", async () => {
    const { shared, one, other, reserve, settle, call, warm } = await start(1_000);
    await warm(one, 10);
    const open = reserve(one, 10);
    assert.deepEqual(open.outcome, HELD);
    await shared.db.updateTable("instances").set({ beat_at: 0 }).execute();
    assert.equal(await one.upkeep.beat(), false);
    assert.equal(await other.upkeep.beat(), false);
    await other.upkeep.recover();
    assert.equal(await call(other, 995), false);
    assert.deepEqual(await settle(one, open.requestId, 10), { settled: true, charged: 10 });
  });

  it("pays for nobody while the last sign that changes are heard is some seconds old", async () => {
    let pausedMs = 0;
    const clock: Clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() + pausedMs };
    const { one, isPaidAhead, warm } = await start(100_000, undefined, clock);
    await warm(one, 10);
    pausedMs += 4_000;
    assert.equal(await isPaidAhead(one, 10), false);
  });

  it("pays for nobody while others may have taken the process for dead, though it hears", async () => {
    let pausedMs = 0;
    const clock: Clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() + pausedMs };
    const { one, isPaidAhead, warm } = await start(100_000, undefined, clock);
    await warm(one, 10);
    pausedMs += 20_000;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    assert.equal(await isPaidAhead(one, 10), false);
    assert.equal(await isPaidAhead(one, 10), true, "it has said that it lives");
  });

  it("goes back when nobody comes any more", async () => {
    const { one, call, warm } = await start(100_000);
    await warm(one, 10);
    assert.ok(await call(one, 10));
    await waitUntil(async () => (await leases())?.length === 0);
  });

  it("a note of what was delivered goes with the settlement, and with a release", async () => {
    const { shared, payer, one, reserve, settle, warm, books } = await start(100_000);
    await warm(one, 10);
    const [settled, released] = [reserve(one, 10), reserve(one, 10)];
    for (const { outcome } of [settled, released]) assert.deepEqual(outcome, HELD);
    await one.ledger.checkpoint(
      [settled, released].map(({ requestId }) => ({ requestId, channelId: 0, delivered: 3 })),
    );
    assert.deepEqual(await settle(one, settled.requestId, 8), { settled: true, charged: 8 });
    await one.ledger.release({ ...payer, requestId: released.requestId });
    assert.deepEqual(await shared.db.selectFrom("relay_holds").select("request_id").execute(), []);
    assert.deepEqual((await books()).user, { remaining: 99_992, used: 8 });
  });
});
