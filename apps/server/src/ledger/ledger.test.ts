import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { afterEach, describe, it } from "node:test";
import type { OpenDatabase } from "@one-api/database/open-database";
import { eachDatabase } from "@one-api/database/test-databases";
import { systemClock } from "../core/clock.ts";
import { createTestToken } from "../testing/create-test-token.ts";
import { createTestUser } from "../testing/create-test-user.ts";
import { checkBalances } from "./check-balances.ts";
import type { Payer, Settlement } from "./ledger-operation.ts";
import { createLedger } from "./ledger.ts";
import { recoverReservations } from "./recover-reservations.ts";
import { forgetDeadInstances, registerInstance } from "./instance.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

eachDatabase((open, kind) => {
  let opened: OpenDatabase | undefined;
  afterEach(() => opened?.close());

  async function start(userQuota: number, tokenQuota: number, unlimited = false) {
    const database = await open();
    opened = database;
    const user = await createTestUser(database, systemClock, "user", { quota: userQuota });
    const tokenId = await createTestToken(database, user.id, tokenQuota, unlimited);
    const payer: Payer = { userId: user.id, tokenId, tokenUnlimited: unlimited };
    const ledger = createLedger(database, "this-process");
    const { db } = database;
    const reserve = (amount: number, requestId: string = randomUUID()) =>
      ledger.reserve({ ...payer, requestId, amount, createdAt: 1 }).then((outcome) => ({ requestId, outcome }));
    const settlement = (requestId: string, charge: number | undefined): Settlement => ({
      ...payer,
      requestId,
      channelId: 0,
      charge,
      at: 2,
      log: {
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
        detail: "",
      },
    });
    const balances = async () => ({
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
      rows: (await db.selectFrom("logs").select(["quota", "token_amount", "shortfall", "hidden"]).execute()).map(
        (row) => ({
          ...row,
        }),
      ),
      open: (await db.selectFrom("relay_holds").select("request_id").execute()).length,
    });
    return { database, ledger, payer, reserve, settlement, balances };
  }

  describe("the ledger", () => {
    it("sets quota aside, books the charge and gives the rest back", async () => {
      const { database, ledger, reserve, settlement, balances } = await start(1_000, 500);
      const { requestId } = await reserve(300);
      assert.equal((await balances()).user.remaining, 700);
      assert.deepEqual(await checkBalances(database), []);
      assert.deepEqual(await ledger.settle(settlement(requestId, 120)), { settled: true, charged: 120 });
      const after = await balances();
      assert.deepEqual({ ...after.user }, { remaining: 880, used: 120, requests: 1 });
      assert.deepEqual({ ...after.token }, { remaining: 380, used: 120 });
      assert.deepEqual(after.rows, [{ quota: 120, token_amount: 120, shortfall: 0, hidden: 0 }]);
      assert.equal(after.open, 0);
      assert.deepEqual(await checkBalances(database), []);
    });

    it("settles a request once, however often it is asked to [CONST-30]", async () => {
      const { ledger, reserve, settlement, balances, database } = await start(1_000, 500);
      const { requestId } = await reserve(300);
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => ledger.settle(settlement(requestId, 100))));
      assert.equal(outcomes.filter((outcome) => outcome.settled).length, 1);
      assert.equal((await balances()).user.remaining, 900);
      assert.equal((await balances()).rows.length, 1);
      assert.deepEqual(await checkBalances(database), []);
    });

    it("refuses what user or token does not cover, and takes nothing then", async () => {
      const { reserve, balances, database } = await start(1_000, 500);
      assert.deepEqual((await reserve(501)).outcome, { ok: false, refusal: "token-quota" });
      assert.deepEqual((await reserve(1_001)).outcome, { ok: false, refusal: "user-quota" });
      assert.equal((await balances()).user.remaining, 1_000);
      assert.deepEqual(await checkBalances(database), []);
    });

    it("lets exactly as many through as the quota covers, in rounds of parallel calls", async () => {
      const { ledger, reserve, settlement, balances, database } = await start(100_000, 50 * 7);
      const reserved = await Promise.all(Array.from({ length: 200 }, () => reserve(7)));
      const granted = reserved.filter(({ outcome }) => outcome.ok);
      assert.equal(granted.length, 50);
      assert.equal((await balances()).token.remaining, 0);
      await Promise.all(granted.map(({ requestId }) => ledger.settle(settlement(requestId, 7))));
      const after = await balances();
      assert.equal(after.token.remaining, 0);
      assert.equal(after.user.remaining, 100_000 - 350);
      assert.equal(after.rows.length, 50);
      assert.equal(
        after.rows.reduce((sum, { quota }) => sum + quota, 0),
        350,
      );
      assert.deepEqual(await checkBalances(database), []);
    });

    it("never lets a balance fall below zero: what the charge exceeds is booked as shortfall", async () => {
      const { ledger, reserve, settlement, balances, database } = await start(100, 1_000);
      const { requestId } = await reserve(60);
      assert.deepEqual(await ledger.settle(settlement(requestId, 150)), { settled: true, charged: 100 });
      const after = await balances();
      assert.deepEqual({ ...after.user }, { remaining: 0, used: 100, requests: 1 });
      assert.deepEqual(after.rows, [{ quota: 100, token_amount: 100, shortfall: 50, hidden: 0 }]);
      assert.deepEqual(await checkBalances(database), []);
    });

    it("leaves an unlimited token's own quota alone", async () => {
      const { ledger, reserve, settlement, balances, database } = await start(1_000, 0, true);
      const { requestId, outcome } = await reserve(300);
      assert.equal(outcome.ok, true);
      await ledger.settle(settlement(requestId, 200));
      const after = await balances();
      assert.deepEqual({ ...after.token }, { remaining: 0, used: 200 });
      assert.equal(after.user.remaining, 800);
      assert.deepEqual(await checkBalances(database), []);
    });

    it("gives everything back for a request that delivered nothing, and books no charge", async () => {
      const { ledger, reserve, settlement, balances, database } = await start(1_000, 500);
      const { requestId } = await reserve(300);
      await ledger.settle(settlement(requestId, undefined));
      const after = await balances();
      assert.deepEqual({ ...after.user }, { remaining: 1_000, used: 0, requests: 0 });
      assert.deepEqual(after.rows, [{ quota: 0, token_amount: 0, shortfall: 0, hidden: 0 }]);
      assert.deepEqual(await checkBalances(database), []);
    });

    it("agrees to the unit after many parallel requests of every kind", async () => {
      const { ledger, reserve, settlement, balances, database } = await start(40_000, 30_000);
      await Promise.all(
        Array.from({ length: 400 }, async (_, index) => {
          const { requestId, outcome } = await reserve(50 + (index % 40));
          if (!outcome.ok) return;
          await ledger.settle(settlement(requestId, index % 5 === 0 ? undefined : (index * 7) % 110));
        }),
      );
      assert.deepEqual(await checkBalances(database), []);
      assert.equal((await balances()).open, 0);
    });

    it("settles what a dead process left open: what its last checkpoint says, once", async () => {
      const { ledger, database, payer, balances } = await start(1_000, 500);
      const dead = createLedger(database, "dead-process");
      await dead.reserve({ ...payer, requestId: "a", amount: 100, createdAt: 1 });
      await dead.reserve({ ...payer, requestId: "b", amount: 100, createdAt: 1 });
      await dead.checkpoint([{ requestId: "a", channelId: 0, delivered: 30 }]);
      await ledger.reserve({ ...payer, requestId: "mine", amount: 100, createdAt: 1 });
      await registerInstance(database, systemClock, "this-process");
      assert.equal(await recoverReservations(database, ledger, systemClock, "this-process"), 2);
      assert.equal(await recoverReservations(database, ledger, systemClock, "this-process"), 0);
      const after = await balances();
      assert.equal(after.user.remaining, 1_000 - 30 - 100);
      assert.equal(after.open, 1);
      assert.deepEqual(await checkBalances(database), []);
    });

    it("forgets processes that died long ago, and only those", async () => {
      const { database } = await start(1_000, 500);
      await registerInstance(database, systemClock, "alive");
      await registerInstance(database, { ...systemClock, nowMs: () => Date.now() - 2 * DAY_MS }, "dead");
      await forgetDeadInstances(database, systemClock);
      const rows = await database.db.selectFrom("instances").select("id").execute();
      assert.deepEqual(
        rows.map(({ id }) => id),
        ["alive"],
      );
    });

    it(
      "leaves the reservations of living processes alone where there can be several",
      { skip: kind === "sqlite" },
      async () => {
        const { database, ledger, payer } = await start(1_000, 500);
        const other = createLedger(database, "other-process");
        await registerInstance(database, systemClock, "other-process");
        await other.reserve({ ...payer, requestId: "theirs", amount: 100, createdAt: 1 });
        assert.equal(await recoverReservations(database, ledger, systemClock, "this-process"), 0);
      },
    );
  });
});
