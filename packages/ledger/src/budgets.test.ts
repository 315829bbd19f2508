import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { eachDatabase } from "@one-api/database/test-databases";
import { sql } from "kysely";
import { forgetOldWindows } from "./forget-old-windows.ts";
import type { Payer } from "./ledger.ts";
import { ledgersOf, NOON, type TestLedgers, type TestServer } from "./testing/test-ledgers.ts";

const DAY = 24 * 3600;
const MIDNIGHT = NOON + DAY / 2;

eachDatabase((open, kind) => {
  const create = ledgersOf(open, afterEach);

  const start = async (quota = 1_000_000) => {
    const ledgers = await create({ quota, unlimited: true });
    return { ledgers, server: await ledgers.start() };
  };

  async function spend(server: TestServer, payer: Payer, requestId: string, amount: number, at = NOON) {
    if (!(await server.reserve(requestId, amount, payer, at)).ok) return false;
    await server.settle(requestId, amount, payer);
    return true;
  }

  const applied = async (ledgers: TestLedgers, server: TestServer) => {
    await server.ledger.applyCharges();
    return ledgers.spent();
  };

  describe("budgets that renew", () => {
    it("let exactly as much through as they cover, and what is not used is there again", async () => {
      const { ledgers, server } = await start();
      const payer = await ledgers.setBudget({ quota: 350, period: "daily" });
      const outcomes = await Promise.all(
        Array.from({ length: 200 }, (_, index) => server.reserve(`r${index}`, 7, payer)),
      );
      const granted = outcomes.flatMap(({ ok }, index) => (ok ? [`r${index}`] : []));
      assert.equal(granted.length, 50);
      assert.equal(await server.available(NOON, payer), 0);
      await Promise.all(granted.map((id, index) => server.settle(id, index % 2 === 0 ? 7 : undefined, payer)));
      assert.deepEqual(await ledgers.spent(), [175]);
      assert.equal(await server.available(NOON, payer), 175);
      const again = await Promise.all(Array.from({ length: 100 }, (_, index) => server.reserve(`s${index}`, 7, payer)));
      assert.equal(again.filter(({ ok }) => ok).length, 25);
    });

    it("refuse with what is left and when they renew; the token's own and its owner's count both", async () => {
      const { ledgers, server } = await start();
      await ledgers.setBudget({ quota: 500, period: "monthly" });
      const payer = await ledgers.setBudget({ quota: 100, period: "weekly" }, ledgers.payer.tokenId);
      assert.ok(await spend(server, payer, "first", 60));
      assert.deepEqual(await server.reserve("second", 41, payer), {
        ok: false,
        refusal: "token-budget",
        budget: { amount: 100, period: "weekly", left: 40, renewsAt: Date.UTC(2026, 10, 23) / 1000 },
      });
      assert.deepEqual(await applied(ledgers, server), [60, 60]);
      const tokenId = await ledgers.addToken(payer.userId, { unlimited: true });
      const other = { ...payer, tokenId, budgets: payer.budgets?.filter(({ of }) => of === "user") };
      assert.deepEqual(await server.reserve("third", 441, other), {
        ok: false,
        refusal: "user-budget",
        budget: { amount: 500, period: "monthly", left: 440, renewsAt: Date.UTC(2026, 11, 1) / 1000 },
      });
    });

    it("leave the balances as they were when they refuse", async () => {
      const { ledgers, server } = await start(1_000);
      const payer = await ledgers.setBudget({ quota: 10, period: "daily" });
      const limited = {
        ...payer,
        tokenUnlimited: false,
        tokenId: await ledgers.addToken(payer.userId, { tokenQuota: 300 }),
      };
      assert.equal((await server.reserve("a", 200, limited)).ok, false);
      assert.equal((await server.reserve("b", 11, payer)).ok, false);
      assert.equal(await server.available(NOON, { ...limited, budgets: undefined }), 300);
      assert.equal(await server.available(NOON, ledgers.payer), 1_000);
    });

    it("count a request in the period in which it began, also when that has ended meanwhile", async () => {
      const { ledgers, server } = await start();
      const payer = await ledgers.setBudget({ quota: 100, period: "daily" });
      for (const id of ["late-1", "late-2"]) await server.mustReserve(id, 50, payer, MIDNIGHT - 1);
      assert.equal(await spend(server, payer, "over", 1, MIDNIGHT - 1), false);
      assert.equal(await spend(server, payer, "new", 70, MIDNIGHT), true, "a new day has all of it");
      for (const id of ["late-1", "late-2"]) await server.settle(id, 50, payer);
      assert.equal(await server.available(MIDNIGHT, payer), 30);
      assert.deepEqual(await applied(ledgers, server), [70]);
      assert.equal(await spend(server, payer, "more", 31, MIDNIGHT), false);
      assert.equal(
        await spend(server, payer, "back", 31, MIDNIGHT - 60),
        false,
        "a clock that was set back gives nothing twice",
      );
      assert.equal(await server.available(MIDNIGHT + DAY, payer), 100);
    });

    it("keep what is spent when the amount changes, begin anew with another period, and end", async () => {
      const { ledgers, server } = await start();
      let payer = await ledgers.setBudget({ quota: 100, period: "daily" });
      await spend(server, payer, "first", 60);
      await server.mustReserve("running", 30, payer);
      payer = await ledgers.setBudget({ quota: 80, period: "daily" });
      assert.equal(await server.available(NOON, payer), 0);
      payer = await ledgers.setBudget({ quota: 200, period: "daily" });
      assert.equal(await server.available(NOON, payer), 110);
      payer = await ledgers.setBudget({ quota: 200, period: "monthly" });
      assert.equal(await server.available(NOON, payer), 200);
      await server.settle("running", 30, payer);
      assert.equal(await server.available(NOON, payer), 200, "it began before this budget");
      payer = await ledgers.setBudget(null);
      assert.equal(await server.available(NOON, payer), 1_000_000 - 90);
    });

    it("that were lowered let nothing through that a server held before", async () => {
      const { ledgers, server } = await start();
      const before = await ledgers.setBudget({ quota: 100, period: "daily" });
      assert.ok(await spend(server, before, "first", 60));
      const lowered = await ledgers.setBudget({ quota: 80, period: "daily" });
      assert.equal((await server.reserve("over", 21, lowered)).ok, false);
      assert.ok(await spend(server, lowered, "last", 20));
      assert.equal((await server.reserve("more", 1, lowered)).ok, false);
      assert.deepEqual(await applied(ledgers, server), [80]);
      const raised = await ledgers.setBudget({ quota: 90, period: "daily" });
      assert.ok(await spend(server, raised, "raised", 10));
      assert.equal((await server.reserve("end", 1, raised)).ok, false);
    });

    it("lowered below what is spent have nothing left until they renew", async () => {
      const { ledgers, server } = await start();
      const before = await ledgers.setBudget({ quota: 100, period: "daily" });
      assert.ok(await spend(server, before, "first", 60));
      const lowered = await ledgers.setBudget({ quota: 10, period: "daily" });
      const outcome = await server.reserve("a", 1, lowered);
      assert.ok(!outcome.ok && outcome.refusal === "user-budget");
      assert.equal(outcome.budget.left, 0);
      assert.equal(await server.available(NOON + DAY, lowered), 10);
    });

    it("are charged in full above a reservation, and have less than nothing then", async () => {
      const { ledgers, server } = await start();
      const payer = await ledgers.setBudget({ quota: 100, period: "daily" });
      await server.mustReserve("a", 50, payer);
      assert.deepEqual(await server.settle("a", 170, payer), { settled: true, charged: 170 });
      assert.equal((await server.reserve("b", 1, payer)).ok, false);
      assert.deepEqual(await applied(ledgers, server), [170]);
      assert.equal((await server.reserve("c", 1, payer)).ok, false);
      assert.equal(await server.available(NOON + DAY, payer), 100);
    });

    it("count what a request was charged, whatever its commits report", async () => {
      const { ledgers, server } = await start();
      const payer = await ledgers.setBudget({ quota: 100, period: "daily" });
      await server.mustReserve("lost", 40, payer);
      server.statements.break("settle", "lost");
      await assert.rejects(server.settle("lost", 30, payer));
      server.statements.repair();
      assert.deepEqual(await server.settle("lost", 20, payer), { settled: true, charged: 20 });
      assert.deepEqual([await applied(ledgers, server), await server.available(NOON, payer)], [[20], 80]);
      await server.mustReserve("failed", 40, payer);
      server.statements.break("settle", "away");
      await assert.rejects(server.settle("failed", 40, payer));
      server.statements.repair();
      assert.equal(await server.available(NOON, payer), 40, "it is open as before");
      await server.settle("failed", 40, payer);
      assert.deepEqual(await server.settle("failed", undefined, payer), { settled: true, charged: 0 });
      assert.deepEqual([await applied(ledgers, server), await server.available(NOON, payer)], [[20], 80]);
    });

    it("count what a killed server had delivered, and have the rest again", async () => {
      const { ledgers, server } = await start();
      const payer = await ledgers.setBudget({ quota: 100, period: "daily" });
      const [row] = await ledgers.owners();
      await server.mustReserve("a", 40, payer);
      await server.mustReserve("b", 40, payer);
      await server.checkpoint("a", 15);
      ledgers.kill(server);
      if (kind === "postgres") await ledgers.recover(row?.id ?? 0);
      const next = await ledgers.start();
      assert.deepEqual(await applied(ledgers, next), [15]);
      assert.equal(await next.available(NOON, payer), 85);
    });

    it("count nothing of a killed server that began before they were set", async () => {
      const { ledgers, server } = await start();
      const payer = await ledgers.setBudget({ quota: 100, period: "daily" });
      const [row] = await ledgers.owners();
      await server.mustReserve("a", 40, payer);
      await server.checkpoint("a", 15);
      const renewed = await ledgers.setBudget({ quota: 100, period: "weekly" });
      ledgers.kill(server);
      if (kind === "postgres") await ledgers.recover(row?.id ?? 0);
      const next = await ledgers.start();
      assert.equal(await next.available(NOON, renewed), 100);
    });

    it("that were taken away count nothing, also for a caller who was read before", async () => {
      const { ledgers, server } = await start();
      const payer = await ledgers.setBudget({ quota: 10, period: "daily" });
      await ledgers.setBudget(null);
      assert.ok(await spend(server, payer, "a", 50));
    });

    it("are not passed by several servers on one database", { skip: kind === "sqlite" }, async () => {
      const { ledgers, server } = await start();
      const other = await ledgers.start();
      const payer = await ledgers.setBudget({ quota: 350, period: "monthly" }, ledgers.payer.tokenId);
      const outcomes = await Promise.all(
        Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? server : other).reserve(`r${index}`, 7, payer)),
      );
      assert.equal(outcomes.filter(({ ok }) => ok).length, 50);
    });

    it("have one window though several servers open it at once", { skip: kind === "sqlite" }, async () => {
      const { ledgers, server } = await start();
      const other = await ledgers.start();
      const payer = await ledgers.setBudget({ quota: 100, period: "daily" });
      const asked = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? server : other).available(NOON, payer));
      assert.deepEqual(new Set(await Promise.all(asked)), new Set([100]));
      const { rows } = await sql`select 1 from budget_windows`.execute(ledgers.database.db);
      assert.equal(rows.length, 1);
    });

    it("forget windows that are over, and no others", async () => {
      const { ledgers, server } = await start();
      const payer = await ledgers.setBudget({ quota: 100, period: "daily" });
      await spend(server, payer, "old", 10, NOON - 100 * DAY);
      await spend(server, payer, "new", 20, NOON);
      await applied(ledgers, server);
      await forgetOldWindows(ledgers.database);
      const { rows } = await sql<{ window_start: number }>`select window_start from budget_windows`.execute(
        ledgers.database.db,
      );
      assert.deepEqual(rows, [{ window_start: NOON - DAY / 2 }]);
      assert.deepEqual(await ledgers.spent(), [20]);
      assert.equal(await server.available(NOON, payer), 80);
    });

    it("of a group are shared by its users, beside budgets of their own", async () => {
      const { ledgers, server } = await start();
      const own = await ledgers.setBudget({ quota: 30, period: "daily" });
      const [one, two] = await ledgers.setGroupBudget("team", { quota: 100, period: "monthly" }, [
        own,
        await ledgers.addPayer({ quota: 1_000, unlimited: true }),
      ]);
      assert.ok(one && two);
      assert.ok(await spend(server, two, "first", 60));
      assert.deepEqual(await server.reserve("second", 41, two), {
        ok: false,
        refusal: "group-budget",
        budget: { amount: 100, period: "monthly", left: 40, renewsAt: Date.UTC(2026, 11, 1) / 1000 },
      });
      const both = { ...one, budgets: [...(own.budgets ?? []), ...(one.budgets ?? [])] };
      assert.equal((await server.reserve("third", 31, both)).ok, false, "the user's own budget counts, too");
      assert.ok(await spend(server, both, "fourth", 25));
      assert.equal(await server.available(NOON, two), 15);
      assert.deepEqual(await applied(ledgers, server), [25, 85]);
      const [free] = await ledgers.setGroupBudget("team", null, [two]);
      assert.ok(await spend(server, free ?? own, "fifth", 200));
    });

    it("of a group let exactly as much through, however many users and servers ask at once", async () => {
      const { ledgers, server } = await start();
      const servers = kind === "sqlite" ? [server] : [server, await ledgers.start()];
      const users = [];
      for (let index = 0; index < 20; index += 1) users.push(await ledgers.addPayer({ unlimited: true }));
      const payers = await ledgers.setGroupBudget("team", { quota: 350, period: "daily" }, users);
      const calls = Array.from({ length: 200 }, (_, index) => ({
        on: servers[index % servers.length] ?? server,
        payer: payers[index % payers.length] ?? ledgers.payer,
        id: `r${index}`,
      }));
      const reserved = await Promise.all(calls.map(({ on, payer, id }) => on.reserve(id, 7, payer)));
      const granted = calls.filter((_, index) => reserved[index]?.ok === true);
      assert.equal(granted.length, 50);
      for (const [index, outcome] of reserved.entries())
        if (!outcome.ok) assert.equal(outcome.refusal, "group-budget", `r${index}`);
      await Promise.all(
        granted.map(({ on, payer, id }, index) => on.settle(id, index % 2 === 0 ? 7 : undefined, payer)),
      );
      for (const on of servers) await on.ledger.applyCharges();
      assert.deepEqual(await ledgers.spent(), [175]);
    });

    it("of a group count what a killed server had delivered", async () => {
      const { ledgers, server } = await start();
      const [payer] = await ledgers.setGroupBudget("team", { quota: 100, period: "daily" }, [ledgers.payer]);
      assert.ok(payer);
      const [row] = await ledgers.owners();
      await server.mustReserve("a", 40, payer);
      await server.checkpoint("a", 15);
      ledgers.kill(server);
      if (kind === "postgres") await ledgers.recover(row?.id ?? 0);
      const next = await ledgers.start();
      assert.deepEqual(await applied(ledgers, next), [15]);
      assert.equal(await next.available(NOON, payer), 85);
    });

    it("cost a payer without one no statement more", async () => {
      const { ledgers, server } = await start();
      await server.call("a", 5);
      assert.equal(server.statements.count("openWindow"), 0);
      const payer = await ledgers.setBudget({ quota: 100, period: "daily" });
      for (const id of ["b", "c", "d"]) await server.call(id, 5, payer);
      assert.equal(server.statements.count("openWindow"), 1);
    });
  });
});
