import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { eachDatabase } from "@one-api/database/test-databases";
import { sql } from "kysely";
import type { Payer } from "./ledger.ts";
import { ledgersOf, type TestLedgers } from "./testing/test-ledgers.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";

eachDatabase((open, kind) => {
  const create = ledgersOf(open, afterEach);

  const entriesOf = ({ database: { db }, payer }: TestLedgers) =>
    db
      .selectFrom("ledger_entries")
      .select(["kind", "token_id", "user_amount", "token_amount", "note", "created_at"])
      .where("user_id", "=", payer.userId)
      .orderBy("id", "desc")
      .execute();

  describe("quota given in the caller's transaction", () => {
    it("adds to the balance and stands in the ledger with its reason; an amount below zero takes away", async () => {
      const ledgers = await create({ unlimited: true });
      const { userId } = ledgers.payer;
      const { db } = ledgers.database;
      assert.ok(await ledgers.quota.grant(db, { userId, amount: 500, note: "gift", at: 7 }));
      assert.ok(await ledgers.quota.grant(db, { userId, amount: -1_200, note: "taken", at: 8 }));
      assert.equal((await ledgers.userBalance()).remaining, 300);
      const [taken, gift] = await entriesOf(ledgers);
      const expected = { kind: "grant", token_id: 0, user_amount: 500, token_amount: 0, note: "gift", created_at: 7 };
      assert.deepEqual({ ...gift }, expected);
      assert.deepEqual([taken?.user_amount, taken?.note], [-1_200, "taken"]);
    });

    it("is refused where it leaves less than nothing, more than a number holds, or has no user", async () => {
      const ledgers = await create({ unlimited: true });
      const { userId } = ledgers.payer;
      const before = await entriesOf(ledgers);
      for (const grant of [
        { userId, amount: -1_001 },
        { userId, amount: Number.MAX_SAFE_INTEGER - 999 },
        { userId: 999_999, amount: 5 },
      ])
        assert.equal(await ledgers.quota.grant(ledgers.database.db, { ...grant, note: "", at: 1 }), false);
      assert.equal(await ledgers.quota.grant(ledgers.database.db, { userId, amount: 0, note: "", at: 1 }), true);
      assert.deepEqual(await entriesOf(ledgers), before);
      assert.equal((await ledgers.userBalance()).remaining, 1_000);
    });

    it("is refused above what a number holds also where servers have the quota", async () => {
      const ledgers = await create({ quota: 1_000_000, unlimited: true });
      const server = await ledgers.start();
      await server.mustReserve("a", 500_000);
      assert.equal(await ledgers.grant(Number.MAX_SAFE_INTEGER - 600_000), false);
      await server.settle("a", 1);
    });

    it("leaves no trace where the caller's transaction is undone", async () => {
      const ledgers = await create({ tokenQuota: 100 });
      const { userId, tokenId } = ledgers.payer;
      const before = await entriesOf(ledgers);
      const refusal = new Error("refused");
      await assert.rejects(
        ledgers.transaction(async (transaction) => {
          await ledgers.quota.grant(transaction, { userId, amount: 500, note: "", at: 1 });
          await ledgers.quota.allot(transaction, { userId, tokenId, from: 100, to: 400, at: 1 });
          throw refusal;
        }),
        refusal,
      );
      assert.deepEqual(await entriesOf(ledgers), before);
      assert.equal((await ledgers.userBalance()).remaining, 1_000);
    });

    it("of a code is given once for ever", async () => {
      const ledgers = await create({ unlimited: true });
      const { userId } = ledgers.payer;
      const redeem = () =>
        ledgers.transaction((transaction) =>
          ledgers.quota.redeem(transaction, { userId, redemptionId: 9, amount: 50, at: 1 }),
        );
      assert.equal(await redeem(), true);
      await assert.rejects(redeem());
      assert.equal((await ledgers.userBalance()).remaining, 1_050);
    });
  });

  describe("quota that a running server holds", () => {
    it("is taken away after a recall, all but what running requests need", async () => {
      const ledgers = await create({ quota: 10_000, tokenQuota: 10_000 });
      const server = await ledgers.start();
      for (const id of ["a", "b"]) await server.mustReserve(id, 100);
      await server.quota.reclaimUserQuota(ledgers.payer.userId);
      const left = await ledgers.transaction((transaction) =>
        server.quota.lockUserPool(transaction, ledgers.payer.userId),
      );
      assert.equal(left, 9_800);
      assert.equal(await ledgers.grant(-9_801), false);
      assert.equal(await ledgers.grant(-9_800), true);
      assert.equal((await server.reserve("c", 1)).ok, false);
      for (const id of ["a", "b"]) assert.equal((await server.settle(id, 100)).charged, 100);
      assert.deepEqual(await ledgers.userBalance(), { remaining: 0, used: 200, requests: 2 });
      assert.deepEqual(await ledgers.tokenBalance(), { remaining: 9_800, used: 200 });
    });

    it(
      "is taken away whole while charges are applied, in several statements",
      { skip: kind !== "sqlite" },
      async () => {
        const ledgers = await create({ quota: 1_000, tokenQuota: 1_000 });
        const server = await ledgers.start();
        await server.call("a", 100);
        await sql`update sqlite_sequence set seq = seq + 10000 where name = 'logs'`.execute(ledgers.database.db);
        await server.call("b", 50);
        server.statements.break("apply", "held");
        const applied = server.ledger.applyCharges();
        await waitUntil(async () => server.statements.waiting > 0);
        const reclaimed = server.quota.reclaimUserQuota(ledgers.payer.userId);
        server.statements.repair();
        await server.statements.deliver();
        await Promise.all([applied, reclaimed]);
        assert.ok(server.statements.count("apply") > 1);
        assert.equal(await ledgers.grant(-850), true);
      },
    );

    it("is recalled from all servers", { skip: kind === "sqlite" }, async () => {
      const ledgers = await create({ quota: 1_000_000, tokenQuota: 1_000_000 });
      const [one, other] = [await ledgers.start(), await ledgers.start()];
      await one.call("a", 10);
      await other.call("b", 10);
      await one.quota.reclaimUserQuota(ledgers.payer.userId);
      assert.equal(await ledgers.grant(-999_980), true, "all of it is in the pool");
      assert.equal((await other.reserve("c", 1)).ok, false);
    });

    it("of a token is set; what requests in flight still hold remains until they end", async () => {
      const ledgers = await create({ quota: 10_000, tokenQuota: 8_000 });
      const server = await ledgers.start();
      for (const id of ["a", "b"]) await server.mustReserve(id, 100);
      await server.quota.reclaimTokenQuota(ledgers.payer.tokenId);
      const allotment = { ...ledgers.payer, from: 8_000, to: 150, at: 1 };
      const beyond = await ledgers.transaction((transaction) => server.quota.allot(transaction, allotment));
      assert.equal(beyond, 50, "what is held beyond");
      assert.equal((await server.reserve("c", 1)).ok, false);
      for (const id of ["a", "b"]) assert.equal((await server.settle(id, 100)).charged, 100);
      assert.deepEqual(await ledgers.tokenBalance(), { remaining: 0, used: 200 });
      assert.equal((await ledgers.userBalance()).remaining, 9_800);
    });

    it("of a token is set once among many who read the same, and only by its owner", async () => {
      const ledgers = await create({ tokenQuota: 100 });
      const { userId, tokenId } = ledgers.payer;
      const tries = [200, 300, 400].map((to) =>
        ledgers.transaction((transaction) =>
          ledgers.quota.allot(transaction, { userId, tokenId, from: 100, to, at: 1 }),
        ),
      );
      assert.equal((await Promise.all(tries)).filter((beyond) => beyond !== undefined).length, 1);
      const { remaining: from } = await ledgers.tokenBalance();
      const stolen = { userId: userId + 1, tokenId, from, to: 5, at: 1 };
      assert.equal(await ledgers.quota.allot(ledgers.database.db, stolen), undefined);
    });

    it("of a token is not set where a charge came since it was read, applied or not", async () => {
      const ledgers = await create({ tokenQuota: 500 });
      const server = await ledgers.start();
      server.statements.break("apply", "held");
      await server.mustReserve("a", 100);
      await server.settle("a", 100);
      const allot = (from: number) =>
        ledgers.transaction((transaction) =>
          server.quota.allot(transaction, { ...ledgers.payer, from, to: 900, at: 1 }),
        );
      assert.equal(await allot(500), undefined);
      assert.equal(await allot(400), 0);
      assert.equal((await ledgers.tokenBalance()).remaining, 900);
    });

    it("is not taken while an administrator holds it", async () => {
      const ledgers = await create({ quota: 1_000, tokenQuota: 1_000 });
      const server = await ledgers.start();
      const { userId } = ledgers.payer;
      let isTaken = false;
      const { reserving } = await ledgers.transaction(async (transaction) => {
        const held = await server.quota.lockUserPool(transaction, userId);
        assert.equal(held, 1_000);
        const outcome = server.reserve("a", 600).then((result) => {
          isTaken = true;
          return result;
        });
        for (let look = 0; look < 20; look += 1) {
          const query = transaction.selectFrom("user_balances").select("remaining").where("user_id", "=", userId);
          assert.equal((await query.executeTakeFirst())?.remaining, held);
        }
        assert.equal(isTaken, false);
        return { reserving: outcome };
      });
      assert.deepEqual(await reserving, { ok: true });
      assert.equal(await server.available(), 400);
      assert.equal(await server.quota.lockUserPool(ledgers.database.db, 999_999), 0);
    });

    it("adds up whoever charges, grants, takes, allots and reads at the same time", async () => {
      const ledgers = await create();
      const server = await ledgers.start();
      const payers: Payer[] = [];
      for (let index = 0; index < 6; index += 1)
        payers.push(await ledgers.addPayer({ quota: 1_000, tokenQuota: 1_000 }));
      const expected = new Map(payers.map(({ userId }) => [userId, 1_000]));
      const add = (userId: number, amount: number) => expected.set(userId, (expected.get(userId) ?? 0) + amount);
      let requests = 0;
      for (let round = 0; round < 12; round += 1)
        await Promise.all(
          payers.map(async (payer, index) => {
            const step = (round * 5 + index) % 4;
            const amount = 10 + ((round * 7 + index * 3) % 50);
            if (step < 2) add(payer.userId, -((await server.call(`r${(requests += 1)}`, amount, payer)) ?? 0));
            else if (step === 2) {
              await server.quota.reclaimUserQuota(payer.userId);
              const change = round % 2 === 0 ? amount : -amount;
              if (await ledgers.grant(change, payer)) add(payer.userId, change);
            } else {
              await server.quota.reclaimTokenQuota(payer.tokenId);
              await ledgers.transaction(async (transaction) => {
                const query = transaction
                  .selectFrom("token_balances")
                  .select("remaining")
                  .where("token_id", "=", payer.tokenId);
                const { remaining: from } = await query.executeTakeFirstOrThrow();
                await ledgers.quota.allot(transaction, { ...payer, from, to: 200 + amount, at: 1 });
              });
            }
          }),
        );
      for (const payer of payers)
        assert.equal((await ledgers.userBalance(payer)).remaining, expected.get(payer.userId));
    });
  });
});
