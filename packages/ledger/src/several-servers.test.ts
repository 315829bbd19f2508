import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { eachDatabase } from "@one-api/database/test-databases";
import { sql } from "kysely";
import { ACCOUNT_KIND } from "./accounts.ts";
import { ShareTable } from "./server/share-table.ts";
import { Session } from "./server/session.ts";
import { Upkeep } from "./server/upkeep.ts";
import type { Payer } from "./ledger.ts";
import { ledgersOf, logOf, NOON, type TestServer } from "./testing/test-ledgers.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";

const RICH = { quota: 1_000_000, tokenQuota: 1_000_000 };

eachDatabase((open, kind) => {
  const start = ledgersOf(open, afterEach);
  const skip = kind === "sqlite";

  async function startTwo(payer = {}) {
    const ledgers = await start(payer);
    const [one, other] = [await ledgers.start(), await ledgers.start()];
    const [first, second] = await ledgers.owners();
    assert.ok(first !== undefined && second !== undefined);
    return { ledgers, one, other, oneId: first.id, otherId: second.id };
  }

  /** Whether the next request is answered in memory. */
  async function isAnsweredAtOnce({
    ledgers,
    server,
    id,
  }: {
    ledgers: Awaited<ReturnType<typeof start>>;
    server: TestServer;
    id: string;
  }) {
    const outcome = server.ledger.reserve({ ...ledgers.payer, requestId: id, amount: 10, createdAt: NOON });
    const isAtOnce = !(outcome instanceof Promise);
    if ((await outcome).ok) server.ledger.release({ requestId: id });
    return isAtOnce;
  }

  describe("quota that a server holds ahead", { skip }, () => {
    it("is not refused to others, all but what running requests need", async () => {
      const { ledgers, one, other } = await startTwo({ quota: 100_000, tokenQuota: 100_000 });
      await one.call("warm", 10);
      await one.mustReserve("open", 10);
      assert.equal(await other.call("all", 100_000 - 20), 100_000 - 20);
      assert.deepEqual(await one.settle("open", 10), { settled: true, charged: 10 });
      assert.equal((await one.reserve("more", 1)).ok, false);
      assert.equal((await ledgers.userBalance()).remaining, 0);
    });

    it("is returned within the reclaim, though no notification arrives", async () => {
      const ledgers = await start(RICH);
      const deaf = { ...ledgers.database, listen: undefined };
      const [one, other] = [await ledgers.start(undefined, deaf), await ledgers.start(undefined, deaf)];
      await one.call("warm", 10);
      assert.ok(await isAnsweredAtOnce({ ledgers, server: one, id: "next" }), "it holds quota");
      assert.equal(await other.call("all", RICH.quota - 10), RICH.quota - 10);
    });

    it("of a scarce account goes back as soon as a request leaves some of it, though nobody asks for it", async () => {
      const ledgers = await start({ quota: 1_000, tokenQuota: 1_000 });
      const deaf = { ...ledgers.database, listen: undefined };
      const [one, other] = [await ledgers.start(undefined, deaf), await ledgers.start(undefined, deaf)];
      await one.mustReserve("a", 600);
      assert.equal((await other.reserve("b", 500)).ok, false);
      assert.equal((await one.settle("a", 100)).charged, 100);
      const account = { kind: ACCOUNT_KIND.user, id: ledgers.payer.userId };
      await waitUntil(async () => [...(await ledgers.storage.readPools([account])).values()][0] === 900);
    });

    it("is refused where running requests need all of it, and there again when they end", async () => {
      const { one, other } = await startTwo({ quota: 1_000, tokenQuota: 1_000 });
      for (const id of ["a", "b", "c", "d"]) await one.mustReserve(id, 10);
      assert.deepEqual(await other.reserve("more", 970), { ok: false, refusal: "user-quota" });
      for (const id of ["a", "b", "c", "d"]) assert.equal((await one.settle(id, 5)).charged, 5);
      assert.equal(await other.call("rest", 980), 980);
    });

    it("is held again in memory once the account is rich after a recall", async () => {
      const { ledgers, one } = await startTwo(RICH);
      await one.call("warm", 10);
      await one.quota.reclaimUserQuota(ledgers.payer.userId);
      await one.quota.reclaimTokenQuota(ledgers.payer.tokenId);
      ledgers.clock.advance(1_001);
      await one.call("first", 10);
      let requests = 0;
      await waitUntil(() => isAnsweredAtOnce({ ledgers, server: one, id: `next-${(requests += 1)}` }));
    });

    it("goes back to the pool when requests do not need it any more", async () => {
      const { ledgers, one } = await startTwo({ quota: 1_000, tokenQuota: 1_000 });
      await one.mustReserve("a", 600);
      await one.settle("a", 100);
      await one.ledger.applyCharges();
      await one.quota.reclaimUserQuota(ledgers.payer.userId);
      const { rows } = await sql<{ remaining: number }>`
        select remaining from shares where kind = 1 and owner = 0`.execute(ledgers.database.db);
      assert.deepEqual(rows, [{ remaining: 900 }]);
    });

    it("is returned when a server stops", async () => {
      const { ledgers, one, other } = await startTwo(RICH);
      await one.call("a", 10);
      await one.ledger.close();
      assert.equal((await ledgers.owners()).length, 1);
      assert.equal(await other.call("b", RICH.quota - 10), RICH.quota - 10);
    });

    it("of a silent server says so: nobody is told exhausted", async () => {
      const { ledgers, one, other } = await startTwo({ quota: 1_000, tokenQuota: 1_000 });
      await one.mustReserve("a", 100);
      ledgers.kill(one);
      assert.deepEqual(await ledgers.whileTimePasses(other.reserve("b", 950)), {
        ok: false,
        refusal: "held-elsewhere",
        retryAfterSeconds: 30,
      });
      assert.equal(await other.call("c", 900), 900, "what nobody holds is there");
    });

    it("of a server that was killed with leftovers says so, though it had answered before", async () => {
      const { ledgers, one, other } = await startTwo({ quota: 1_000, tokenQuota: 1_000 });
      await one.mustReserve("a", 600);
      assert.deepEqual(await other.reserve("b", 500), { ok: false, refusal: "user-quota" });
      assert.equal((await one.settle("a", 100)).charged, 100);
      ledgers.kill(one);
      const outcome = await ledgers.whileTimePasses(other.reserve("c", 700));
      assert.deepEqual(outcome, { ok: false, refusal: "held-elsewhere", retryAfterSeconds: 30 });
    });

    it("of a silent server keeps those who wait together waiting once", async () => {
      const { ledgers, one, other } = await startTwo({ quota: 1_000, tokenQuota: 1_000 });
      await one.mustReserve("a", 100);
      ledgers.kill(one);
      const waiting = Array.from({ length: 50 }, (_, index) => other.reserve(`r${index}`, 950));
      const outcomes = await ledgers.whileTimePasses(Promise.all(waiting));
      assert.ok(outcomes.every((outcome) => !outcome.ok && outcome.refusal === "held-elsewhere"));
      assert.ok(other.statements.count("markScarce") <= 3, "they share a reclaim");
    });
  });

  describe("servers on one database", { skip }, () => {
    it("admit exactly as many requests as the quota covers, round after round", async () => {
      const { ledgers, one, other } = await startTwo();
      for (let round = 0; round < 6; round += 1) {
        const payer = await ledgers.addPayer({ quota: 700, unlimited: true });
        const calls = Array.from({ length: 200 }, (_, index) =>
          (index % 2 === 0 ? one : other).call(`${round}-${index}`, 7, payer),
        );
        const admitted = (await Promise.all(calls)).filter((charged) => charged === 7);
        assert.equal(admitted.length, 100);
        assert.equal(await one.available(NOON, payer), 0);
        assert.equal((await ledgers.userBalance(payer)).remaining, 0);
      }
    });

    it("block none of one another for good, in whatever order their users come", async () => {
      const { ledgers, one, other } = await startTwo();
      const payers: Payer[] = [];
      for (let index = 0; index < 4; index += 1)
        payers.push(await ledgers.addPayer({ quota: 20_000, tokenQuota: 20_000 }));
      const rounds = async (server: TestServer, inTurn: readonly Payer[], name: string) => {
        for (let round = 0; round < 25; round += 1)
          await Promise.all(inTurn.map((payer, index) => server.call(`${name}-${round}-${index}`, 60, payer)));
      };
      await Promise.all([rounds(one, payers, "one"), rounds(other, payers.toReversed(), "other")]);
      for (const payer of payers) assert.equal((await ledgers.userBalance(payer)).used, 2 * 25 * 60);
      assert.deepEqual(ledgers.warnings, []);
    });

    it("charge more than was reserved from what other servers hold without need", async () => {
      const { ledgers, one, other } = await startTwo({ quota: 10_000, tokenQuota: 10_000 });
      await one.mustReserve("a", 10);
      await other.call("warm", 30);
      assert.deepEqual(await one.settle("a", 9_970), { settled: true, charged: 9_970 });
      assert.equal((await ledgers.userBalance()).remaining, 0);
    });

    it("leave each other's entries alone, in whatever order their ids come", async () => {
      const { ledgers, one, other } = await startTwo(RICH);
      for (let round = 0; round < 20; round += 1) {
        const server = round % 3 === 0 ? one : other;
        await server.call(`r${round}`, 10 + round);
        if (round % 4 === 0) await one.ledger.applyCharges();
        if (round % 5 === 0) await other.ledger.applyCharges();
      }
      await one.ledger.applyCharges();
      await other.ledger.applyCharges();
      const { rows } = await sql<{ used: number }>`
        select cast(sum(used) as bigint) as used from shares where kind = 1`.execute(ledgers.database.db);
      assert.deepEqual(rows, [{ used: 20 * 10 + 190 }], "each entry is applied");
    });

    it("apply what was inserted before a later entry of another server was seen", async () => {
      const { ledgers, one, other } = await startTwo(RICH);
      await one.mustReserve("a", 10);
      await other.mustReserve("b", 10);
      // The settlement has taken its id and waits for this transaction, which has the same request.
      const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
      const blocked = Promise.withResolvers<void>();
      const blocking = ledgers
        .transaction(async (transaction) => {
          await transaction
            .insertInto("logs")
            .values({ ...logOf(ledgers.payer, "a"), quota: 0 })
            .execute();
          blocked.resolve();
          await isOver;
          throw new Error("undone");
        })
        .catch(() => undefined);
      await blocked.promise;
      const settled = one.settle("a", 10);
      await waitUntil(async () => {
        const { rows } = await sql`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(ledgers.database.db);
        return rows.length > 0;
      });
      await other.settle("b", 10);
      await one.ledger.applyCharges();
      end();
      await blocking;
      assert.equal((await settled).charged, 10);
      await one.ledger.applyCharges();
      await other.ledger.applyCharges();
      const { rows } = await sql<{ used: number }>`
        select cast(sum(used) as bigint) as used from shares where kind = 1`.execute(ledgers.database.db);
      assert.deepEqual(rows, [{ used: 20 }]);
    });

    it("leave others' entries behind only while no settlement of their own is sent", async () => {
      const { ledgers, one } = await startTwo(RICH);
      await one.call("a", 10);
      await one.mustReserve("b", 10);
      one.statements.break("skip", "held");
      const applied = one.ledger.applyCharges();
      await waitUntil(() => one.statements.waiting === 1);
      const before = one.statements.count("settle");
      const settled = one.settle("b", 10);
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      assert.equal(one.statements.count("settle"), before, "one journal connection, one statement at a time");
      one.statements.repair();
      await one.statements.deliver();
      await applied;
      assert.equal((await settled).charged, 10);
      await one.ledger.applyCharges();
      assert.equal((await ledgers.userBalance()).used, 20);
    });
  });

  describe("a server that was declared dead", { skip }, () => {
    it("withholds the end of its answers, charges nothing more, and goes on as a new one", async () => {
      const { ledgers, one, other, oneId } = await startTwo({ quota: 1_000, tokenQuota: 1_000 });
      for (const id of ["noted", "unnoted"]) await one.mustReserve(id, 100);
      await one.checkpoint("noted", 40);
      assert.equal(await ledgers.recover(oneId), 1);
      assert.equal(await other.available(), 960);
      for (const id of ["noted", "unnoted"]) {
        const outcomes = await Promise.allSettled([one.settle(id, 90)]);
        assert.ok(outcomes.every((outcome) => outcome.status === "rejected" || !outcome.value.settled));
        await waitUntil(() => one.process.isLive);
        assert.equal((await one.settle(id, 90)).settled, false);
      }
      assert.equal(ledgers.fencings, 1);
      assert.equal(one.ledger.open, 0);
      assert.deepEqual([await ledgers.charges("noted"), await ledgers.charges("unnoted")], [[40], []]);
      assert.equal(await one.call("next", 960), 960);
      assert.equal((await ledgers.owners()).length, 2);
    });

    it("refuses nobody who has funds: the reservation that finds it out is made by the new one", async () => {
      const { ledgers, one, oneId } = await startTwo({ quota: 1_000, tokenQuota: 1_000 });
      await ledgers.recover(oneId);
      assert.equal(await one.call("a", 700), 700);
      assert.equal(ledgers.fencings, 1);
    });

    it("never settles for its old self what waited in its queue", async () => {
      const { ledgers, one, other, oneId } = await startTwo({ quota: 1_000, tokenQuota: 1_000 });
      await one.mustReserve("a", 100);
      await one.mustReserve("b", 100);
      await ledgers.recover(oneId);
      one.statements.break("raise", "held");
      // The heartbeat finds that the epoch is old; settlements then wait for the end of doubt.
      await assert.rejects(one.ledger.checkpoint([{ requestId: "b", channelId: 0, delivered: 1 }]));
      const settled = Promise.allSettled([one.settle("a", 90), one.settle("b", 90)]);
      await waitUntil(() => one.statements.waiting === 1);
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
      one.statements.repair();
      await one.statements.deliver();
      for (const outcome of await settled) assert.ok(outcome.status === "rejected" || !outcome.value.settled);
      assert.deepEqual([await ledgers.charges("a"), await ledgers.charges("b")], [[], []]);
      assert.equal(await other.available(), 1_000);
    });

    it("is fenced also where its first attempt to register fails half way", async () => {
      const { ledgers, one, other, oneId } = await startTwo({ quota: 1_000, tokenQuota: 1_000 });
      await one.mustReserve("a", 100);
      await one.checkpoint("a", 40);
      await ledgers.recover(oneId);
      one.statements.break("readOwner", "away");
      await assert.rejects(one.checkpoint("a", 50));
      await assert.rejects(one.reserve("b", 1));
      one.statements.repair();
      await waitUntil(() => ledgers.fencings === 1);
      assert.equal(one.ledger.open, 0);
      assert.equal((await one.settle("a", 90)).settled, false);
      assert.deepEqual(await ledgers.charges("a"), [40]);
      assert.equal(await other.available(), 960);
    });

    it("refunds a charge that was booked though its client was told that it failed", async () => {
      const { ledgers, one, other, oneId } = await startTwo({ quota: 1_000, tokenQuota: 1_000 });
      await one.mustReserve("a", 100);
      one.statements.break("raise", "held");
      one.statements.break("settle", "lost");
      await assert.rejects(one.settle("a", 90));
      await ledgers.recover(oneId);
      one.statements.repair();
      await one.statements.deliver();
      await waitUntil(() => ledgers.fencings === 1);
      assert.deepEqual(await one.drop("a"), { settled: true, charged: 0 });
      await one.ledger.applyCharges();
      assert.equal((await ledgers.userBalance()).remaining, 1_000);
      assert.equal(await other.call("b", 1_000), 1_000);
    });

    it("reserves nothing in memory while its last heartbeat is old", async () => {
      const { ledgers, one } = await startTwo(RICH);
      await one.call("warm", 10);
      assert.ok(await isAnsweredAtOnce({ ledgers, server: one, id: "a" }));
      ledgers.clock.advance(15_000);
      const beats = one.statements.count("heartbeat");
      assert.equal(await isAnsweredAtOnce({ ledgers, server: one, id: "b" }), false);
      assert.equal(one.statements.count("heartbeat"), beats + 1, "it asks whether it lives");
      assert.ok(await isAnsweredAtOnce({ ledgers, server: one, id: "c" }));
    });
  });

  describe("a server that observes others", { skip }, () => {
    const ignore = { doubtful: () => [], settled: () => undefined, fenced: () => undefined, outdated: () => undefined };

    async function startObserver() {
      const ledgers = await start({ quota: 1_000, tokenQuota: 1_000 });
      const observed = await ledgers.start();
      const [row] = await ledgers.owners();
      assert.ok(row);
      await observed.mustReserve("a", 100);
      await observed.checkpoint("a", 30);
      ledgers.kill(observed);
      const session = new Session(ledgers.storage, ledgers.clock, 0, ignore);
      await session.start();
      const upkeep = new Upkeep(session, new ShareTable());
      const look = async (seconds: number) => {
        ledgers.clock.advance(seconds * 1_000);
        return upkeep.observe();
      };
      const end = async () => {
        await ledgers.recover(session.owner.id);
        session.close();
      };
      return { ledgers, row, session, upkeep, look, end };
    }

    it("declares one dead after 30 s and 6 looks without a heartbeat, and charges what it delivered", async () => {
      const { ledgers, row, look, upkeep, end } = await startObserver();
      for (let looks = 0; looks < 6; looks += 1) assert.equal(await look(5), 0);
      assert.equal((await ledgers.ownerRow(row.id)).state, "live");
      assert.ok(upkeep.isSilent(row.id));
      assert.equal(await look(5), 1);
      assert.deepEqual(await ledgers.charges("a"), [30]);
      assert.ok((await ledgers.owners()).every(({ id }) => id !== row.id));
      assert.deepEqual(await ledgers.userBalance(), { remaining: 970, used: 30, requests: 1 });
      await end();
    });

    it("knows its place among the live servers, without those that are silent for 10 s", async () => {
      const { ledgers, row, look, upkeep, end } = await startObserver();
      await look(0);
      assert.deepEqual(upkeep.place, { index: 1, count: 2 });
      await look(9);
      assert.deepEqual(upkeep.place, { index: 1, count: 2 });
      await look(1);
      assert.deepEqual(upkeep.place, { index: 0, count: 1 });
      await ledgers.storage.heartbeat(row);
      await look(0);
      assert.deepEqual(upkeep.place, { index: 1, count: 2 });
      await ledgers.recover(row.id);
      await end();
    });

    it("declares nobody dead for its own long pause, or whose heartbeat changes", async () => {
      const { ledgers, row, look, upkeep, session, end } = await startObserver();
      await look(5);
      await look(300);
      assert.equal((await ledgers.ownerRow(row.id)).state, "live", "two looks are too few");
      for (let looks = 0; looks < 10; looks += 1) {
        await ledgers.storage.heartbeat(row);
        await look(20);
      }
      assert.equal((await ledgers.ownerRow(row.id)).state, "live");
      assert.equal(upkeep.isSilent(row.id), false);
      assert.ok(session.isLive);
      await ledgers.recover(row.id);
      await end();
    });
  });
});
