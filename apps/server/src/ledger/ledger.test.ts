import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { afterEach, describe, it } from "node:test";
import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import type { OpenDatabase } from "@one-api/database/open-database";
import { eachDatabase } from "@one-api/database/test-databases";
import { systemClock } from "../core/clock.ts";
import { inTransaction } from "../core/transaction.ts";
import { createTestToken } from "../testing/create-test-token.ts";
import { createTestUser } from "../testing/create-test-user.ts";
import { holdCommits } from "../testing/hold-commits.ts";
import { checkBalances } from "./check-balances.ts";
import { createLedger } from "./create-ledger.ts";
import { LedgerClosedError, type LogRow, type Payer, type Settlement, whenSettled } from "./ledger.ts";

eachDatabase((open) => {
  let opened: OpenDatabase | undefined;
  afterEach(async () => {
    if (opened !== undefined) assert.deepEqual(await checkBalances(opened), [], "the books add up");
    await opened?.close();
    opened = undefined;
  });

  async function start(userQuota: number, tokenQuota: number, unlimited = false) {
    const database = await open();
    opened = database;
    const user = await createTestUser(database, systemClock, "user", { quota: userQuota });
    const tokenId = await createTestToken(database, user.id, tokenQuota, unlimited);
    const payer: Payer = { userId: user.id, tokenId, tokenUnlimited: unlimited };
    const commits = holdCommits();
    const { ledger, upkeep } = createLedger({ database, clock: systemClock, aroundCommits: commits.around });
    await upkeep.start();
    const { db } = database;
    const reserve = async (amount: number, requestId: string = randomUUID()) => {
      const outcome = await ledger.reserve({ ...payer, requestId, amount, createdAt: 1 });
      return { requestId, outcome };
    };
    const settlement = (requestId: string, charge: number | undefined): Settlement => ({
      ...payer,
      requestId,
      channelId: 0,
      charge,
      at: 2,
      log: logOf(user, requestId),
    });
    const settle = (requestId: string, charge: number | undefined) =>
      whenSettled(ledger, settlement(requestId, charge));
    const books = async () => ({
      user: await db
        .selectFrom("user_balances")
        .select(["remaining", "used", "requests"])
        .where("user_id", "=", user.id)
        .executeTakeFirstOrThrow(),
      token: await db
        .selectFrom("token_balances")
        .select(["remaining", "used"])
        .where("token_id", "=", tokenId)
        .executeTakeFirstOrThrow(),
      rows: (
        await db.selectFrom("logs").select(["quota", "token_amount", "shortfall", "hidden"]).orderBy("id").execute()
      ).map((row) => ({ ...row })),
      holds: (await db.selectFrom("relay_holds").select("request_id").execute()).length,
    });
    const available = () => ledger.available(payer, 1);
    return { database, ledger, upkeep, payer, commits, reserve, settle, settlement, books, available };
  }

  describe("the ledger", () => {
    it("[CONST-31] sets quota aside, books the charge and gives the rest back", async () => {
      const { reserve, settle, books, available, ledger } = await start(1_000, 500);
      const { requestId } = await reserve(300);
      assert.equal(await available(), 200);
      assert.equal(ledger.open, 1);
      assert.deepEqual(await settle(requestId, 120), { settled: true, charged: 120 });
      const after = await books();
      assert.deepEqual({ ...after.user }, { remaining: 880, used: 120, requests: 1 });
      assert.deepEqual({ ...after.token }, { remaining: 380, used: 120 });
      assert.deepEqual(after.rows, [{ quota: 120, token_amount: 120, shortfall: 0, hidden: 0 }]);
      assert.equal(after.holds, 0);
      assert.equal(await available(), 380);
      assert.equal(ledger.open, 0);
    });

    it("settles a request once, however often it is asked to [CONST-30]", async () => {
      const { reserve, settle, books } = await start(1_000, 500);
      const { requestId } = await reserve(300);
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => settle(requestId, 100)));
      assert.equal(outcomes.filter((outcome) => outcome.settled).length, 1);
      assert.equal((await settle(requestId, 100)).settled, false);
      assert.equal((await settle(requestId, undefined)).settled, false, "a delivered answer stays charged");
      assert.equal((await books()).user.remaining, 900);
      assert.equal((await books()).rows.length, 1);
    });

    it("refuses what user or token does not cover, and takes nothing then", async () => {
      const { reserve, available } = await start(1_000, 500);
      assert.deepEqual((await reserve(501)).outcome, { ok: false, refusal: "token-quota" });
      assert.deepEqual((await reserve(1_001)).outcome, { ok: false, refusal: "user-quota" });
      assert.equal(await available(), 500);
    });

    it("lets exactly as many through as the quota covers, in rounds of parallel calls", async () => {
      const { reserve, settle, books, available } = await start(100_000, 50 * 7);
      const reserved = await Promise.all(Array.from({ length: 200 }, () => reserve(7)));
      const granted = reserved.filter(({ outcome }) => outcome.ok);
      assert.equal(granted.length, 50);
      assert.equal(await available(), 0);
      await Promise.all(granted.map(({ requestId }) => settle(requestId, 7)));
      const after = await books();
      assert.equal(after.token.remaining, 0);
      assert.equal(after.user.remaining, 100_000 - 350);
      assert.equal(after.rows.length, 50);
      assert.equal(
        after.rows.reduce((sum, { quota }) => sum + quota, 0),
        350,
      );
    });

    it("never lets a balance fall below zero: what the charge exceeds is booked as shortfall", async () => {
      const { reserve, settle, books } = await start(100, 1_000);
      const { requestId } = await reserve(60);
      assert.deepEqual(await settle(requestId, 150), { settled: true, charged: 100 });
      const after = await books();
      assert.deepEqual({ ...after.user }, { remaining: 0, used: 100, requests: 1 });
      assert.deepEqual(after.rows, [{ quota: 100, token_amount: 100, shortfall: 50, hidden: 0 }]);
    });

    it("takes nothing that others hold for a charge above what was set aside", async () => {
      const { reserve, settle, books } = await start(100, 1_000);
      const [over, other] = [await reserve(40), await reserve(50)];
      assert.deepEqual(await settle(over.requestId, 90), { settled: true, charged: 50 });
      assert.deepEqual(await settle(other.requestId, 50), { settled: true, charged: 50 });
      assert.deepEqual(
        (await books()).rows.map(({ shortfall }) => shortfall),
        [40, 0],
      );
    });

    it("lets a token pay for what it can when its owner left it less than is set aside", async () => {
      const { ledger, database, payer, reserve, settle, books } = await start(1_000, 500);
      const first = await reserve(200);
      const second = await reserve(200);
      const { remaining: from } = (await books()).token;
      await inTransaction(database, (transaction) =>
        ledger.quota.allot(transaction, { ...payer, from, to: 10, at: 1 }),
      );
      await Promise.all([settle(first.requestId, 180), settle(second.requestId, 190)]);
      const after = await books();
      assert.equal(after.user.remaining, 1_000 - 370, "the owner pays all of it");
      assert.ok(after.token.remaining >= 0);
    });

    it("leaves an unlimited token's own quota alone", async () => {
      const { reserve, settle, books } = await start(1_000, 0, true);
      const { requestId, outcome } = await reserve(300);
      assert.equal(outcome.ok, true);
      await settle(requestId, 200);
      const after = await books();
      assert.deepEqual({ ...after.token }, { remaining: 0, used: 200 });
      assert.equal(after.user.remaining, 800);
    });

    it("gives everything back for a request that delivered nothing, and books no charge", async () => {
      const { reserve, settle, books, available } = await start(1_000, 500);
      const { requestId } = await reserve(300);
      await settle(requestId, undefined);
      const after = await books();
      assert.deepEqual({ ...after.user }, { remaining: 1_000, used: 0, requests: 0 });
      assert.deepEqual(after.rows, [{ quota: 0, token_amount: 0, shortfall: 0, hidden: 0 }]);
      assert.equal(await available(), 500);
    });

    it("books a charge in a hidden row while the log is switched off", async () => {
      const { ledger, reserve, settlement, books } = await start(1_000, 500);
      const { requestId } = await reserve(300);
      await whenSettled(ledger, { ...settlement(requestId, 20), log: undefined });
      assert.deepEqual((await books()).rows, [{ quota: 20, token_amount: 20, shortfall: 0, hidden: 1 }]);
    });

    it("releases what was set aside without a trace", async () => {
      const { ledger, payer, reserve, books, available } = await start(1_000, 500);
      const { requestId } = await reserve(300);
      await ledger.release({ ...payer, requestId });
      await ledger.release({ ...payer, requestId });
      assert.equal(await available(), 500);
      const after = await books();
      assert.deepEqual([after.user.remaining, after.rows, after.holds], [1_000, [], 0]);
    });

    it("agrees to the unit after many parallel requests of every kind", async () => {
      const { ledger, payer, reserve, settle, books, available } = await start(40_000, 30_000);
      await Promise.all(
        Array.from({ length: 400 }, async (_, index) => {
          const { requestId, outcome } = await reserve(50 + (index % 40));
          if (!outcome.ok) return;
          if (index % 7 === 0) await ledger.checkpoint([{ requestId, channelId: 0, delivered: 5 }]);
          if (index % 11 === 0) await ledger.release({ ...payer, requestId });
          else await settle(requestId, index % 5 === 0 ? undefined : (index * 7) % 110);
        }),
      );
      const after = await books();
      assert.equal(after.holds, 0);
      assert.equal(await available(), Math.min(after.user.remaining, after.token.remaining));
    });

    it("knows at once what others granted, allotted or took away", async () => {
      const { ledger, database, payer, reserve, available } = await start(1_000, 5_000);
      await reserve(400);
      const grant = (amount: number) =>
        inTransaction(database, (transaction) =>
          ledger.quota.grant(transaction, { userId: payer.userId, amount, note: "", at: 1 }),
        );
      assert.equal(await grant(500), true);
      assert.equal(await available(), 1_100);
      assert.equal(await grant(-1_101), false, "what is set aside cannot be taken away");
      assert.equal(await grant(-1_100), true);
      assert.deepEqual((await reserve(1)).outcome, { ok: false, refusal: "user-quota" });
      await assert.rejects(
        inTransaction(database, async (transaction) => {
          await ledger.quota.grant(transaction, { userId: payer.userId, amount: 900, note: "", at: 1 });
          throw new Error("changed my mind");
        }),
      );
      assert.deepEqual((await reserve(1)).outcome, { ok: false, refusal: "user-quota" });
    });

    it("does not believe what it read before somebody else changed it", async () => {
      const { database, payer } = await start(1_000, 5_000);
      const [wasRead, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const { ledger, upkeep } = createLedger({
        database,
        clock: systemClock,
        aroundCommits: (committer) => ({
          async commit(group, attempt) {
            const outcomes = await committer.commit(group, attempt);
            wasRead.resolve();
            await gate.promise;
            return outcomes;
          },
          close: () => committer.close(),
        }),
      });
      await upkeep.start();
      const before = ledger.available(payer, 1);
      await wasRead.promise;
      const taken = { userId: payer.userId, amount: -900, note: "", at: 1 };
      assert.ok(await inTransaction(database, (transaction) => ledger.quota.grant(transaction, taken)));
      gate.resolve();
      await before;
      const outcome = await ledger.reserve({ ...payer, requestId: "late", amount: 500, createdAt: 1 });
      assert.deepEqual(outcome, { ok: false, refusal: "user-quota" });
    });

    it("refuses nobody for a charge that it reads together with its commit", async () => {
      const { database, ledger, payer, reserve, settle } = await start(1_000, 5_000);
      const { requestId } = await reserve(400);
      const given = { userId: payer.userId, amount: 1, note: "", at: 1 };
      assert.ok(await inTransaction(database, (transaction) => ledger.quota.grant(transaction, given)));
      // The grant has the balance read again, in one group with the settlement that comes after it.
      const next = reserve(601);
      await settle(requestId, 400);
      assert.deepEqual((await next).outcome, { ok: true });
    });

    it("takes a charge off its channel too when it is taken back", async () => {
      const { database, ledger, commits, reserve, settlement } = await start(1_000, 500);
      const texts = { name: "c", key_cipher: "", base_url: "", other: "", models: "", group: "", model_mapping: "" };
      const more = { system_prompt: "", organization: "", config: "", config_cipher: "" };
      const numbers = { type: 1, status: 1, soft_limit_usd: 0, calc_prompt: 0, priority: 0, weight: 1 } as const;
      const { id: channelId } = await database.db
        .insertInto("channels")
        .values({ ...texts, ...more, ...numbers, created_time: 1 })
        .returning("id")
        .executeTakeFirstOrThrow();
      const spent = async () =>
        (await database.db.selectFrom("channels").select("used_quota").where("id", "=", channelId).executeTakeFirst())
          ?.used_quota;
      const { requestId } = await reserve(300);
      commits.lose("settle");
      const { log, ...charge } = settlement(requestId, 120);
      assert.ok(log);
      await assert.rejects(whenSettled(ledger, { ...charge, channelId, log: { ...log, channel_id: channelId } }));
      assert.equal(await spent(), 120);
      commits.release();
      await whenSettled(ledger, settlement(requestId, undefined));
      assert.equal(await spent(), 0);
    });

    it("settles what a stopped process left open: what its last checkpoint says, once", async () => {
      const { database, payer, ledger, books } = await start(1_000, 500);
      for (const requestId of ["a", "b"]) await ledger.reserve({ ...payer, requestId, amount: 100, createdAt: 1 });
      for (const [delivered, completion_tokens] of [
        [20, 4],
        [30, 6],
      ] as const) {
        const log = { model_name: "gpt-4o-mini", prompt_tokens: 12, completion_tokens };
        await ledger.checkpoint([{ requestId: "a", channelId: 0, delivered, log }]);
      }
      await database.db.updateTable("instances").set({ beat_at: 0 }).execute();
      const next = createLedger({ database, clock: systemClock });
      await next.upkeep.start();
      await next.upkeep.start();
      const after = await books();
      assert.deepEqual({ ...after.user }, { remaining: 970, used: 30, requests: 1 });
      assert.equal(after.holds, 0);
      const columns = ["model_name", "prompt_tokens", "completion_tokens", "quota"] as const;
      const logged = await database.db.selectFrom("logs").select(columns).where("request_id", "=", "a").execute();
      assert.deepEqual(logged, [{ model_name: "gpt-4o-mini", prompt_tokens: 12, completion_tokens: 6, quota: 30 }]);
      assert.equal(await next.ledger.available(payer, 1), 470);
    });

    it("keeps nothing of a checkpoint that is committed together with its request's settlement", async () => {
      const { database, ledger, reserve, settle, books } = await start(1_000, 500);
      const { requestId } = await reserve(300);
      const noting = ledger.checkpoint([{ requestId, channelId: 0, delivered: 20 }]);
      assert.deepEqual(await settle(requestId, 120), { settled: true, charged: 120 });
      await noting;
      assert.equal((await books()).holds, 0);
      await database.db.updateTable("instances").set({ beat_at: 0 }).execute();
      await createLedger({ database, clock: systemClock }).upkeep.start();
      assert.equal((await books()).user.used, 120, "the next start finds nothing to book");
    });

    it("keeps nothing of a checkpoint of a request of which nothing is booked in the end", async () => {
      const { ledger, upkeep, reserve, settlement, books, available } = await start(1_000, 500);
      const { requestId } = await reserve(300);
      await ledger.checkpoint([{ requestId, channelId: 0, delivered: 20 }]);
      const outcome = await whenSettled(ledger, { ...settlement(requestId, undefined), log: undefined });
      assert.deepEqual(outcome, { settled: true, charged: 0 });
      assert.equal((await books()).holds, 0);
      assert.equal(await upkeep.recover(), 0);
      assert.equal(await available(), 500);
    });

    it("leaves a charge as it is of which a checkpoint was left behind", async () => {
      const { database, payer, reserve, settle, books } = await start(1_000, 500);
      const { requestId } = await reserve(300);
      await settle(requestId, 120);
      const nothing = { user_amount: 0, token_amount: 0, channel_id: 0, instance_id: "", created_at: 1 };
      const of = { request_id: requestId, user_id: payer.userId, token_id: payer.tokenId };
      await database.db
        .insertInto("relay_holds")
        .values({ ...of, ...nothing, token_unlimited: 0, delivered_quota: 20 })
        .execute();
      await createLedger({ database, clock: systemClock }).upkeep.start();
      const { user, holds, rows } = await books();
      assert.deepEqual([user.used, holds, rows.map(({ quota }) => quota)], [120, 0, [120]]);
    });

    it("charges a request once whose settlement is committed and reported as failed", async () => {
      const { commits, reserve, settle, books, available } = await start(1_000, 500);
      const { requestId } = await reserve(300);
      commits.lose("settle");
      await assert.rejects(settle(requestId, 120));
      commits.release();
      assert.deepEqual(await settle(requestId, 120), { settled: true, charged: 120 });
      assert.deepEqual({ ...(await books()).user }, { remaining: 880, used: 120, requests: 1 });
      assert.equal(await available(), 380);
    });

    it("takes a charge back that may have been committed when nothing was delivered after all", async () => {
      const { commits, reserve, settle, books, available } = await start(1_000, 500);
      const { requestId } = await reserve(300);
      commits.lose("settle");
      await assert.rejects(settle(requestId, 120));
      assert.equal((await books()).user.used, 120, "it was committed");
      commits.release();
      assert.deepEqual(await settle(requestId, undefined), { settled: true, charged: 0 });
      const after = await books();
      assert.deepEqual({ ...after.user }, { remaining: 1_000, used: 0, requests: 0 });
      assert.deepEqual({ ...after.token }, { remaining: 500, used: 0 });
      assert.deepEqual(after.rows, [{ quota: 0, token_amount: 0, shortfall: 0, hidden: 0 }]);
      assert.equal(await available(), 500);
    });

    it("counts a request once that was booked as nothing at first", async () => {
      const { commits, reserve, settle, books } = await start(1_000, 500);
      const { requestId } = await reserve(300);
      commits.lose("settle");
      await assert.rejects(settle(requestId, undefined));
      commits.release();
      assert.deepEqual(await settle(requestId, 120), { settled: true, charged: 120 });
      assert.deepEqual({ ...(await books()).user }, { remaining: 880, used: 120, requests: 1 });
    });

    it("puts a charge right that was committed just when its caller had been told that it failed", async () => {
      const { commits, reserve, settle, books, available, ledger } = await start(1_000, 500);
      const { requestId } = await reserve(300);
      commits.fail("settle");
      await assert.rejects(settle(requestId, 120));
      commits.release();
      assert.deepEqual(await settle(requestId, 120), { settled: true, charged: 120 });
      assert.equal(ledger.open, 0);
      assert.deepEqual(await settle(requestId, undefined), { settled: true, charged: 0 });
      assert.deepEqual({ ...(await books()).user }, { remaining: 1_000, used: 0, requests: 0 });
      assert.equal(await available(), 500);
    });

    it("keeps a request open whose settlement fails, and settles it when the database is back", async () => {
      const { commits, reserve, settle, available, ledger } = await start(1_000, 500);
      const { requestId } = await reserve(300);
      commits.fail("settle");
      await assert.rejects(settle(requestId, 120));
      assert.equal(await available(), 200);
      assert.equal(ledger.open, 1);
      commits.release();
      assert.deepEqual(await settle(requestId, 120), { settled: true, charged: 120 });
    });

    it("sets nothing aside while commits fail, and does again as soon as they succeed", async () => {
      const { commits, reserve, settle, available, ledger } = await start(1_000, 500);
      const { requestId } = await reserve(300);
      commits.fail("all");
      await assert.rejects(settle(requestId, 120));
      for (let call = 0; call < 2; call += 1) await assert.rejects(reserve(100), DatabaseUnavailableError);
      commits.release();
      assert.equal(ledger.open, 1);
      const next = await reserve(100);
      assert.equal(next.outcome.ok, true);
      for (const id of [requestId, next.requestId]) assert.equal((await settle(id, 50)).settled, true);
      assert.equal(await available(), 400);
    });

    it("tries nothing any more once it is closed while commits fail", async () => {
      const { commits, reserve, settlement, payer, ledger } = await start(1_000, 500);
      const [given, charged] = [await reserve(100), await reserve(300)];
      await ledger.checkpoint([{ requestId: given.requestId, channelId: 0, delivered: 0 }]);
      commits.fail("all");
      const releasing = ledger.release({ ...payer, requestId: given.requestId });
      await ledger.close();
      await releasing;
      await assert.rejects(whenSettled(ledger, settlement(charged.requestId, 120)), LedgerClosedError);
    });

    it("leaves log rows out whose request has one already", async () => {
      const { ledger, reserve, settle, settlement, books } = await start(1_000, 500);
      const { requestId } = await reserve(300);
      await settle(requestId, 120);
      const { log } = settlement(requestId, 0);
      assert.ok(log);
      const free = { ...log, token_id: 5 };
      await ledger.writeLogs([free, { ...free, request_id: "refused" }]);
      assert.deepEqual(
        (await books()).rows.map(({ quota }) => quota),
        [120, 0],
      );
    });
  });
});

function logOf(user: { readonly id: number; readonly username: string }, requestId: string): LogRow {
  return {
    user_id: user.id,
    created_at: 2,
    type: 2,
    content: "",
    username: user.username,
    token_name: "test",
    model_name: "m",
    prompt_tokens: 1,
    completion_tokens: 1,
    channel_id: 0,
    request_id: requestId,
    elapsed_time: 1,
    is_stream: 0,
    result: "ok",
    status_code: 200,
    cost: 0,
    first_byte_ms: 0,
    detail: "",
  };
}
