import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { setImmediate as nextTick } from "node:timers/promises";
import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import { eachDatabase } from "@one-api/database/test-databases";
import { LedgerClosedError, type Payer } from "./ledger.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";
import { ledgersOf } from "./testing/test-ledgers.ts";

eachDatabase((open) => {
  const start = ledgersOf(open, afterEach);

  describe("a reservation", () => {
    it("[CONST-31] takes an upper bound, and what the charge leaves of it is available again", async () => {
      const ledgers = await start({ quota: 1_000, tokenQuota: 500 });
      const server = await ledgers.start();
      await server.mustReserve("a", 300);
      assert.equal(await server.available(), 200);
      assert.equal(server.ledger.open, 1);
      assert.equal((await ledgers.userBalance()).remaining, 1_000, "what is reserved is not charged");
      assert.deepEqual(await server.settle("a", 120), { settled: true, charged: 120 });
      assert.deepEqual(await ledgers.userBalance(), { remaining: 880, used: 120, requests: 1 });
      assert.deepEqual(await ledgers.tokenBalance(), { remaining: 380, used: 120 });
      assert.deepEqual(await ledgers.rows(), [{ type: 2, quota: 120, token_amount: 120, shortfall: 0, hidden: 0 }]);
      assert.equal(await server.available(), 380);
      assert.equal(server.ledger.open, 0);
    });

    it("is refused where user or token does not cover it, and takes nothing then", async () => {
      const ledgers = await start({ quota: 1_000, tokenQuota: 500 });
      const server = await ledgers.start();
      assert.deepEqual(await server.reserve("a", 501), { ok: false, refusal: "token-quota" });
      assert.deepEqual(await server.reserve("b", 1_001), { ok: false, refusal: "user-quota" });
      assert.equal(server.ledger.open, 0);
      assert.equal(await server.available(), 500);
      await server.mustReserve("c", 500);
      assert.deepEqual(await server.reserve("d", 1), { ok: false, refusal: "token-quota" });
    });

    it("is refused to a user or a token that is not there", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      const nobody = { ...ledgers.payer, userId: 999_999 };
      assert.deepEqual(await server.reserve("a", 1, nobody), { ok: false, refusal: "user-quota" });
      const noToken = { ...ledgers.payer, tokenId: 999_999 };
      assert.deepEqual(await server.reserve("b", 1, noToken), { ok: false, refusal: "token-quota" });
    });

    it("lets exactly as many of parallel requests through as the quota covers", async () => {
      const ledgers = await start({ quota: 100_000, tokenQuota: 50 * 7 });
      const server = await ledgers.start();
      const outcomes = await Promise.all(Array.from({ length: 200 }, (_, index) => server.reserve(`r${index}`, 7)));
      const granted = outcomes.flatMap(({ ok }, index) => (ok ? [`r${index}`] : []));
      assert.equal(granted.length, 50);
      assert.equal(await server.available(), 0);
      await Promise.all(granted.map((requestId) => server.settle(requestId, 7)));
      assert.equal((await ledgers.tokenBalance()).remaining, 0);
      assert.equal((await ledgers.userBalance()).remaining, 100_000 - 350);
      assert.equal((await ledgers.rows()).length, 50);
    });

    it("is answered at once where the server's share covers it", async () => {
      const ledgers = await start({ quota: 1_000_000, tokenQuota: 1_000_000 });
      const server = await ledgers.start();
      await server.call("first", 10);
      const before = server.statements.sent.length;
      const outcome = server.ledger.reserve({ ...ledgers.payer, requestId: "a", amount: 10, createdAt: 1 });
      assert.deepEqual(outcome, { ok: true }, "no promise");
      await server.settle("a", 10);
      const named = server.statements.sent.slice(before).filter((name) => name !== "apply" && name !== "skip");
      assert.deepEqual(named, ["settle"], "one commit per request");
    });

    it("leaves an unlimited token's own quota alone", async () => {
      const ledgers = await start({ quota: 1_000, unlimited: true });
      const server = await ledgers.start();
      await server.mustReserve("a", 300);
      await server.settle("a", 200);
      assert.deepEqual(await ledgers.tokenBalance(), { remaining: 0, used: 200 });
      assert.equal((await ledgers.userBalance()).remaining, 800);
    });

    it("is released without a trace, once", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      await server.mustReserve("a", 300);
      server.ledger.release({ requestId: "a" });
      server.ledger.release({ requestId: "a" });
      assert.equal(await server.available(), 500);
      assert.deepEqual(await ledgers.rows(), []);
      assert.equal(server.ledger.open, 0);
      assert.equal((await server.settle("a", 5)).settled, false, "what is released is never charged");
    });

    it("keeps its quota after a release for as long as its checkpoint may be charged", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      await server.mustReserve("a", 300);
      await server.checkpoint("a", 120);
      server.statements.break("checkpoint", "away");
      server.ledger.release({ requestId: "a" });
      await waitUntil(() => server.statements.count("checkpoint") === 2);
      assert.equal(await server.available(), 200);
      assert.equal(server.ledger.open, 1);
      server.statements.repair();
      await waitUntil(() => server.ledger.open === 0);
      assert.equal(await server.available(), 500);
    });

    it("counts a request once, and throws where its id has reserved already", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      await server.mustReserve("a", 100);
      await assert.rejects(server.reserve("a", 100), /reserved already/);
      assert.equal(await server.available(), 400);
    });

    it("uses what an administrator grants at once", async () => {
      const ledgers = await start({ quota: 1_000, tokenQuota: 5_000 });
      const server = await ledgers.start();
      await server.mustReserve("a", 400);
      assert.ok(await ledgers.grant(500));
      assert.equal(await server.available(), 1_100);
      await server.mustReserve("b", 1_100);
      assert.deepEqual(await server.reserve("c", 1), { ok: false, refusal: "user-quota" });
    });

    it("adds large numbers exactly, and refuses what no request costs", async () => {
      const quota = Number.MAX_SAFE_INTEGER - 5;
      const ledgers = await start({ quota, unlimited: true });
      const server = await ledgers.start();
      for (const amount of [Number.MAX_SAFE_INTEGER, 2 ** 44 + 1])
        assert.deepEqual(await server.reserve("absurd", amount), { ok: false, refusal: "user-quota" });
      for (const id of ["a", "b", "c"]) await server.mustReserve(id, 2 ** 44);
      await server.settle("a", 2 ** 44);
      await server.settle("b", 1);
      server.ledger.release({ requestId: "c" });
      await server.ledger.applyCharges();
      assert.deepEqual(await ledgers.userBalance(), { remaining: quota - 2 ** 44 - 1, used: 2 ** 44 + 1, requests: 2 });
      assert.equal(await server.available(), quota - 2 ** 44 - 1);
    });

    it("agrees to the unit after many parallel requests of every kind", async () => {
      const ledgers = await start({ quota: 40_000, tokenQuota: 30_000 });
      const server = await ledgers.start();
      await Promise.all(
        Array.from({ length: 400 }, async (_, index) => {
          const id = `r${index}`;
          if (!(await server.reserve(id, 50 + (index % 40))).ok) return;
          if (index % 7 === 0) await server.checkpoint(id, 5);
          if (index % 11 === 0) server.ledger.release({ requestId: id });
          else await server.settle(id, index % 5 === 0 ? undefined : (index * 7) % 110);
        }),
      );
      await server.ledger.applyCharges();
      assert.equal(server.ledger.open, 0);
      const [user, token] = [await ledgers.userBalance(), await ledgers.tokenBalance()];
      assert.equal(await server.available(), Math.min(user.remaining, token.remaining));
    });

    it("serves the requests of many accounts, those too whose quota falls short", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      const payers: Payer[] = [];
      for (let index = 0; index < 12; index += 1)
        payers.push(await ledgers.addPayer({ tokenQuota: index % 3 === 1 ? 150 : 500, unlimited: index % 3 === 0 }));
      const asked = payers.flatMap((payer, index) => [0, 1].map((turn) => ({ payer, id: `${index}-${turn}` })));
      const outcomes = await Promise.all(asked.map(({ payer, id }) => server.reserve(id, 100, payer)));
      assert.deepEqual(
        outcomes.map((outcome) => (outcome.ok ? "reserved" : outcome.refusal)),
        payers.flatMap((_, index) => ["reserved", index % 3 === 1 ? "token-quota" : "reserved"]),
      );
      assert.ok(server.statements.count("acquire") < asked.length, "wishes share statements");
      const held = asked.filter((_, index) => outcomes[index]?.ok === true);
      const settled = await Promise.all(held.map(({ payer, id }) => server.settle(id, 70, payer)));
      assert.ok(settled.every((outcome) => outcome.settled && outcome.charged === 70));
      for (const [index, payer] of payers.entries()) {
        const requests = index % 3 === 1 ? 1 : 2;
        const expected = { remaining: 1_000 - 70 * requests, used: 70 * requests, requests };
        assert.deepEqual(await ledgers.userBalance(payer), expected);
      }
    });

    it("is refused with an error while the database is away, and granted when it is back", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      server.statements.break("all", "away");
      for (const id of ["a", "b"]) await assert.rejects(server.reserve(id, 100), DatabaseUnavailableError);
      server.statements.repair();
      await server.mustReserve("c", 100);
      assert.equal(await server.available(), 400);
    });

    for (const name of ["all", "acquire"] as const) {
      it(`waits for a database that loses ${name} for a few seconds, and is refused when it stays away`, async () => {
        const ledgers = await start();
        ledgers.outageWaitMs = 1_000;
        const server = await ledgers.start();
        server.statements.break(name, "away");
        const waiting = server.reserve("a", 100);
        while (server.statements.count("raise") < 2 && server.statements.count("acquire") < 2) await nextTick();
        server.statements.repair();
        assert.deepEqual(await waiting, { ok: true });
        server.statements.break("all", "away");
        const late = ledgers.whileTimePasses(server.reserve("b", 450));
        await assert.rejects(late, DatabaseUnavailableError);
        await assert.rejects(server.reserve("c", 450), DatabaseUnavailableError);
        server.statements.repair();
        assert.equal(await server.available(), 400);
      });
    }

    it("of a closed ledger throws", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      await server.mustReserve("a", 100);
      await server.settle("a", 100);
      await server.ledger.close();
      await server.ledger.close();
      await assert.rejects(server.reserve("b", 1), LedgerClosedError);
    });
  });
});
