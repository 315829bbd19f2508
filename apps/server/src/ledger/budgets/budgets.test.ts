import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { afterEach, describe, it } from "node:test";
import type { BudgetInput } from "@one-api/contract/budget";
import { eachDatabase } from "@one-api/database/test-databases";
import type { OpenDatabase, RunStatement } from "@one-api/database/open-database";
import { systemClock } from "../../core/clock.ts";
import { inTransaction } from "../../core/transaction.ts";
import { createTestToken } from "../../testing/create-test-token.ts";
import { createTestUser } from "../../testing/create-test-user.ts";
import { holdCommits } from "../../testing/hold-commits.ts";
import { checkBalances } from "../check-balances.ts";
import { createLedger } from "../create-ledger.ts";
import { type Payer, whenSettled } from "../ledger.ts";
import { forgetOldBudgetUses } from "./forget-old-budget-uses.ts";

const DAY = 24 * 3600;
/** A Wednesday, 12:00. */
const NOON = Date.UTC(2026, 10, 18, 12) / 1000;
const MIDNIGHT = NOON + DAY / 2;

eachDatabase((open, kind) => {
  let opened: OpenDatabase | undefined;
  afterEach(async () => {
    if (opened !== undefined) assert.deepEqual(await checkBalances(opened), [], "the books add up");
    await opened?.close();
    opened = undefined;
  });

  async function start(budgets: { readonly user?: BudgetInput; readonly token?: BudgetInput }, quota = 1_000_000) {
    const database = await open();
    opened = database;
    const user = await createTestUser(database, systemClock, "user", { quota });
    const tokenId = await createTestToken(database, user.id, 0, true);
    const payer: Payer = { userId: user.id, tokenId, tokenUnlimited: true, budgeted: true };
    const commits = holdCommits();
    const { ledger, upkeep } = createLedger({ database, clock: systemClock, aroundCommits: commits.around });
    await upkeep.start();
    const set = (budget: BudgetInput, of = 0, at = NOON - DAY) =>
      inTransaction(database, (transaction) =>
        ledger.quota.setBudget(transaction, { userId: user.id, tokenId: of, budget, at }),
      );
    if (budgets.user !== undefined) await set(budgets.user);
    if (budgets.token !== undefined) await set(budgets.token, tokenId);
    const reserve = async (amount: number, createdAt = NOON, requestId: string = randomUUID()) => {
      const outcome = await ledger.reserve({ ...payer, requestId, amount, createdAt });
      return { requestId, outcome };
    };
    const settle = (requestId: string, charge: number | undefined) =>
      whenSettled(ledger, { ...payer, requestId, charge, channelId: 0, log: undefined, at: NOON });
    const spend = async (amount: number, at = NOON) => {
      const { requestId, outcome } = await reserve(amount, at);
      if (outcome.ok) await settle(requestId, amount);
      return outcome.ok;
    };
    const left = async (at = NOON) => ledger.available(payer, at);
    const spent = async (of = 0) =>
      (
        await database.db
          .selectFrom("budgets")
          .select("spent")
          .where("user_id", "=", user.id)
          .where("token_id", "=", of)
          .executeTakeFirst()
      )?.spent;
    return { database, ledger, upkeep, payer, tokenId, commits, set, reserve, settle, spend, left, spent };
  }

  describe("budgets that renew", () => {
    it("let exactly as much through as they cover, in rounds of parallel calls, and what is not used is there again", async () => {
      const { reserve, settle, left, spent } = await start({ user: { quota: 350, period: "daily" } });
      const reserved = await Promise.all(Array.from({ length: 200 }, () => reserve(7)));
      const granted = reserved.filter(({ outcome }) => outcome.ok);
      assert.equal(granted.length, 50);
      assert.equal(await left(), 0);
      await Promise.all(granted.map(({ requestId }, index) => settle(requestId, index % 2 === 0 ? 7 : undefined)));
      assert.equal(await spent(), 175);
      assert.equal(await left(), 175);
      const again = await Promise.all(Array.from({ length: 100 }, () => reserve(7)));
      assert.equal(again.filter(({ outcome }) => outcome.ok).length, 25);
    });

    it("refuse with what is left and when they renew; the token's own and its owner's count both", async () => {
      const both = { user: { quota: 500, period: "monthly" }, token: { quota: 100, period: "weekly" } } as const;
      const { reserve, settle, left, spent, tokenId, ledger, payer } = await start(both);
      const first = await reserve(60);
      await settle(first.requestId, 60);
      assert.deepEqual((await reserve(41)).outcome, {
        ok: false,
        refusal: "token-budget",
        budget: { amount: 100, period: "weekly", left: 40, renewsAt: Date.UTC(2026, 10, 23) / 1000 },
      });
      assert.deepEqual([await spent(), await spent(tokenId), await left()], [60, 60, 40]);
      const other = { ...payer, tokenId: await createTestToken(opened ?? assert.fail(), payer.userId, 0, true) };
      const outcome = await ledger.reserve({ ...other, requestId: "other", amount: 441, createdAt: NOON });
      assert.deepEqual(outcome, {
        ok: false,
        refusal: "user-budget",
        budget: { amount: 500, period: "monthly", left: 440, renewsAt: Date.UTC(2026, 11, 1) / 1000 },
      });
    });

    it("leave the balance as it was when they refuse", async () => {
      const { reserve, ledger, payer, database } = await start({ user: { quota: 10, period: "daily" } }, 1_000);
      const limited = { ...payer, tokenUnlimited: false, tokenId: await createTestToken(database, payer.userId, 300) };
      const outcome = await ledger.reserve({ ...limited, requestId: "r", amount: 200, createdAt: NOON });
      assert.equal(outcome.ok, false);
      assert.equal((await reserve(11)).outcome.ok, false);
      assert.equal(await ledger.available({ ...limited, budgeted: false }, NOON), 300);
      assert.equal(await ledger.available({ ...payer, budgeted: false }, NOON), 1_000);
    });

    it("count a call in the period in which it began, also when that has ended meanwhile", async () => {
      const { reserve, settle, spend, left, spent } = await start({ user: { quota: 100, period: "daily" } });
      const late = await Promise.all([reserve(50, MIDNIGHT - 1), reserve(50, MIDNIGHT - 1)]);
      assert.equal(await spend(1, MIDNIGHT - 1), false);
      assert.equal(await spend(70, MIDNIGHT), true, "a new day has all of it");
      for (const { requestId } of late) await settle(requestId, 50);
      assert.equal(await left(MIDNIGHT), 30);
      assert.equal(await spent(), 70);
      assert.equal(await spend(31, MIDNIGHT), false);
      assert.equal(await spend(31, MIDNIGHT - 60), false, "a clock that was set back gives nothing twice");
      assert.equal(await left(MIDNIGHT + DAY), 100);
    });

    it("keep what is spent when the amount changes, begin anew with another period, and end", async () => {
      const { set, reserve, settle, spend, left } = await start({ user: { quota: 100, period: "daily" } });
      await spend(60);
      const running = await reserve(30);
      await set({ quota: 80, period: "daily" }, 0, NOON);
      assert.equal(await left(), 0);
      await set({ quota: 200, period: "daily" }, 0, NOON);
      assert.equal(await left(), 110);
      await set({ quota: 200, period: "monthly" }, 0, NOON);
      assert.equal(await left(), 200);
      await settle(running.requestId, 30);
      assert.equal(await left(), 200, "it began before this budget");
      await set(null);
      assert.equal(await left(), 1_000_000 - 90);
    });

    it("make what a call counts equal to what it was charged, whatever its commits tell", async () => {
      const { reserve, settle, left, commits, spent } = await start({ user: { quota: 100, period: "daily" } });
      const lost = await reserve(40);
      commits.lose("settle");
      await assert.rejects(settle(lost.requestId, 30));
      commits.release();
      assert.deepEqual(await settle(lost.requestId, 20), { settled: true, charged: 20 });
      assert.deepEqual([await spent(), await left()], [20, 80]);
      const failed = await reserve(40);
      commits.fail("settle");
      await assert.rejects(settle(failed.requestId, 40));
      assert.equal(await left(), 40, "it is open as before");
      commits.release();
      await settle(failed.requestId, 40);
      assert.deepEqual(await settle(failed.requestId, undefined), { settled: true, charged: 0 });
      assert.deepEqual([await spent(), await left()], [20, 80]);
    });

    it("count what a stopped process had delivered, and give the rest back", async () => {
      const { database, payer, ledger, reserve, left, spent } = await start({ user: { quota: 100, period: "daily" } });
      const [a, b] = [await reserve(40), await reserve(40)];
      await ledger.checkpoint([{ requestId: a.requestId, channelId: 0, delivered: 15 }]);
      assert.ok(b.outcome.ok);
      await database.db.updateTable("instances").set({ beat_at: 0 }).execute();
      const next = createLedger({ database, clock: systemClock });
      await next.upkeep.start();
      await next.upkeep.start();
      assert.equal(await spent(), 15);
      assert.equal(await next.ledger.available(payer, NOON), 85);
      if (kind === "postgres") assert.equal(await left(), 85);
    });

    it("count nothing of a stopped process that began before they were set", async () => {
      const { database, ledger, reserve, set, spent } = await start({ user: { quota: 100, period: "daily" } });
      const { requestId } = await reserve(40);
      await ledger.checkpoint([{ requestId, channelId: 0, delivered: 15 }]);
      await set({ quota: 100, period: "weekly" }, 0, NOON + 60);
      await database.db.updateTable("instances").set({ beat_at: 0 }).execute();
      await createLedger({ database, clock: systemClock }).upkeep.start();
      assert.equal(await spent(), 0);
    });

    it("are not passed by several processes on one database", { skip: kind === "sqlite" }, async () => {
      const { database, payer, reserve, spent } = await start({ token: { quota: 350, period: "monthly" } });
      const other = createLedger({ database, clock: systemClock });
      await other.upkeep.start();
      const outcomes = await Promise.all(
        Array.from({ length: 200 }, async (_, index) =>
          index % 2 === 0
            ? (await reserve(7)).outcome
            : other.ledger.reserve({ ...payer, requestId: randomUUID(), amount: 7, createdAt: NOON }),
        ),
      );
      assert.equal(outcomes.filter(({ ok }) => ok).length, 50);
      assert.equal(await spent(payer.tokenId), 350);
    });

    it("forget the uses of periods that are over, and no others", async () => {
      const { database, spend } = await start({ user: { quota: 100, period: "daily" } });
      await spend(10);
      await spend(20, MIDNIGHT);
      await forgetOldBudgetUses(database);
      const uses = await database.db.selectFrom("budget_uses").select("amount").execute();
      assert.deepEqual(
        uses.map(({ amount }) => amount),
        [20],
      );
    });

    it("cost an account without one no statement more", async () => {
      const { ledger, payer, database } = await start({});
      const plain = { ...payer, budgeted: false };
      const statements: string[] = [];
      const counting =
        (run: RunStatement): RunStatement =>
        (sql, parameters) => {
          statements.push(sql);
          return run(sql, parameters);
        };
      const counted: OpenDatabase = {
        ...database,
        writeTransaction: (work) => database.writeTransaction((run) => work(counting(run))),
        writeStatement: database.writeStatement && counting(database.writeStatement),
      };
      const watched = createLedger({ database: counted, clock: systemClock });
      await watched.upkeep.start();
      statements.length = 0;
      await watched.ledger.reserve({ ...plain, requestId: "plain", amount: 5, createdAt: NOON });
      const settlement = { ...plain, requestId: "plain", charge: 5, channelId: 0, log: undefined, at: NOON };
      await whenSettled(watched.ledger, settlement);
      assert.ok(statements.length > 0);
      assert.deepEqual(
        statements.filter((sql) => sql.includes("budget")),
        [],
      );
      await ledger.close();
    });
  });
});
