import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { eachDatabase } from "@one-api/database/test-databases";
import { sql } from "kysely";
import { whenSettled } from "./ledger.ts";
import { recoverOwner } from "./recover.ts";
import type { OwnerRow, Storage } from "./storage/storage.ts";
import { ledgersOf, logOf } from "./testing/test-ledgers.ts";

eachDatabase((open, kind) => {
  const create = ledgersOf(open, afterEach);

  /** Starts a server; `next` kills it, and resolves to what the one after it has charged. */
  async function start() {
    const ledgers = await create({ quota: 1_000, tokenQuota: 500 });
    const server = await ledgers.start();
    const [row] = await ledgers.owners();
    assert.ok(row);
    const next = async () => {
      ledgers.kill(server);
      if (kind === "postgres") return ledgers.recover(row.id);
      const charged: number[] = [];
      const later = await ledgers.start((count) => charged.push(count));
      await later.ledger.applyCharges();
      return charged[0];
    };
    return { ledgers, server, row, next };
  }

  describe("what a killed server left", () => {
    it("is charged as its last checkpoint says, once", async () => {
      const { ledgers, server, next } = await start();
      for (const id of ["a", "b"]) await server.mustReserve(id, 100);
      for (const [delivered, completion_tokens] of [
        [20, 4],
        [30, 6],
      ] as const) {
        const log = { model_name: "gpt-4o-mini", prompt_tokens: 12, completion_tokens };
        await server.ledger.checkpoint([{ requestId: "a", channelId: 0, delivered, log }]);
      }
      assert.equal(await next(), 1);
      assert.deepEqual(await ledgers.userBalance(), { remaining: 970, used: 30, requests: 1 });
      assert.deepEqual(await ledgers.tokenBalance(), { remaining: 470, used: 30 });
      assert.equal(await ledgers.checkpoints(), 0);
      const columns = ["model_name", "prompt_tokens", "completion_tokens", "quota", "result"] as const;
      const logged = await ledgers.database.db
        .selectFrom("logs")
        .select(columns)
        .where("request_id", "=", "a")
        .execute();
      const expected = { model_name: "gpt-4o-mini", prompt_tokens: 12, completion_tokens: 6, quota: 30 };
      assert.deepEqual(logged, [{ ...expected, result: "gateway-failed" }]);
    });

    it("is charged at most what was reserved", async () => {
      const { ledgers, server, next } = await start();
      await server.mustReserve("a", 100);
      await server.checkpoint("a", 900);
      await next();
      assert.deepEqual(await ledgers.userBalance(), { remaining: 900, used: 100, requests: 1 });
    });

    it("is charged nothing more where the request was settled", async () => {
      const { ledgers, server, next } = await start();
      await server.mustReserve("a", 300);
      await server.checkpoint("a", 20);
      await server.settle("a", 120);
      assert.equal(await ledgers.checkpoints(), 1, "its checkpoint is still there");
      assert.equal(await next(), 0);
      assert.deepEqual(await ledgers.userBalance(), { remaining: 880, used: 120, requests: 1 });
      assert.equal(await ledgers.checkpoints(), 0);
    });

    it("is charged nothing where the request ended without a charge", async () => {
      const { ledgers, server, next } = await start();
      await server.mustReserve("a", 300);
      await server.checkpoint("a", 20);
      assert.deepEqual(await server.drop("a"), { settled: true, charged: 0 });
      assert.equal(await ledgers.checkpoints(), 0, "gone before the caller is told");
      assert.equal(await next(), 0);
      assert.equal((await ledgers.userBalance()).remaining, 1_000);
    });

    it("is charged nothing for requests that delivered nothing", async () => {
      const { ledgers, server, next } = await start();
      await server.mustReserve("a", 300);
      await server.checkpoint("a", 0);
      assert.equal(await next(), 0);
      assert.equal((await ledgers.userBalance()).remaining, 1_000);
    });

    it("keeps charges that no share had paid", async () => {
      const { ledgers, server, next } = await start();
      server.statements.break("apply", "held");
      await server.mustReserve("a", 300);
      await server.settle("a", 120);
      await next();
      assert.deepEqual(await ledgers.userBalance(), { remaining: 880, used: 120, requests: 1 });
      const { rows } = await sql<{ remaining: number }>`
        select cast(sum(remaining) as bigint) as remaining from shares where kind = 1`.execute(ledgers.database.db);
      assert.deepEqual(rows, [{ remaining: 880 }]);
    });

    it("is charged to deleted tokens and users as far as they are there", async () => {
      const { ledgers, server, next } = await start();
      const { db } = ledgers.database;
      const gone = await ledgers.addPayer({ unlimited: true });
      await server.mustReserve("a", 100);
      await server.mustReserve("b", 100, gone);
      await server.checkpoint("a", 40);
      await server.checkpoint("b", 40);
      await db.deleteFrom("tokens").where("id", "in", [ledgers.payer.tokenId, gone.tokenId]).execute();
      await db.deleteFrom("users").where("id", "=", gone.userId).execute();
      assert.equal(await next(), 2);
      assert.deepEqual(await ledgers.userBalance(), { remaining: 960, used: 40, requests: 1 });
    });

    it("is found by a settlement that deletes checkpoints after a while", async () => {
      const { ledgers, server } = await start();
      await server.mustReserve("a", 100);
      await server.mustReserve("b", 100);
      await server.checkpoint("a", 40);
      await server.settle("a", 50);
      await server.checkpoint("b", 1);
      const rows = await ledgers.database.db.selectFrom("checkpoints").select("request_id").execute();
      assert.deepEqual(rows, [{ request_id: "b" }], "the next checkpoint deletes those of ended requests");
      await server.drop("b");
    });
  });

  describe("a checkpoint", { skip: kind === "sqlite" }, () => {
    it("that lands after its server was recovered charges nothing", async () => {
      const { ledgers, server, row } = await start();
      await server.mustReserve("a", 100);
      server.statements.break("checkpoint", "late");
      await assert.rejects(server.checkpoint("a", 40));
      ledgers.kill(server);
      assert.equal(await ledgers.recover(row.id), 0);
      await server.statements.deliver();
      assert.equal(await ledgers.checkpoints(), 0);
      assert.deepEqual(await ledgers.charges("a"), []);
    });

    it("of a settlement that lands after its server was recovered charges once", async () => {
      const { ledgers, server, row } = await start();
      await server.mustReserve("a", 100);
      await server.checkpoint("a", 40);
      server.statements.break("settle", "late");
      await assert.rejects(whenSettled(server.ledger, server.settlement("a", 90)));
      ledgers.kill(server);
      assert.equal(await ledgers.recover(row.id), 1);
      await server.statements.deliver();
      assert.deepEqual(await ledgers.charges("a"), [40]);
    });
  });

  describe("recovery", { skip: kind === "sqlite" }, () => {
    type Step = (storage: Storage, dead: OwnerRow) => Promise<unknown>;
    const steps: readonly Step[] = [
      (storage, dead) => storage.declareDead(dead, dead.heartbeat),
      (storage, dead) => storage.chargeCheckpoints(dead),
      async (storage, dead) => {
        const state = await storage.readOwner(dead.id);
        if (state !== undefined) await storage.apply(dead, state.appliedId, state.lastId);
      },
      (storage, dead) => storage.returnShares(dead, 1),
      (storage, dead) => storage.returnShares(dead, 1),
      (storage, dead) => storage.returnShares(dead, 1),
      (storage, dead) => storage.returnShares(dead, 500),
    ];

    async function startDead() {
      const { ledgers, server, row } = await start();
      for (const id of ["a", "b"]) await server.mustReserve(id, 100);
      await server.checkpoint("a", 30);
      server.statements.break("apply", "held");
      await server.mustReserve("c", 50);
      await server.settle("c", 50);
      ledgers.kill(server);
      const dead = await ledgers.declareDead(row.id);
      const check = async () => {
        assert.deepEqual(await ledgers.userBalance(), { remaining: 920, used: 80, requests: 2 });
        assert.deepEqual(await ledgers.charges("a"), [30]);
        assert.deepEqual(await ledgers.owners(), []);
        const { rows } = await sql`select kind from shares where owner <> 0`.execute(ledgers.database.db);
        assert.deepEqual(rows, []);
      };
      return { ledgers, dead, check };
    }

    it("charges once though each step is repeated", async () => {
      const { ledgers, dead, check } = await startDead();
      for (const step of steps)
        for (let again = 0; again < 3; again += 1) await step(ledgers.storage, dead).catch(() => undefined);
      await check();
    });

    it("charges once though every step so far is repeated before the next", async () => {
      const { ledgers, dead, check } = await startDead();
      for (let last = 0; last < steps.length; last += 1)
        for (const step of steps.slice(0, last + 1)) await step(ledgers.storage, dead).catch(() => undefined);
      await check();
    });

    it("charges once though steps come in the wrong order first", async () => {
      const { ledgers, dead, check } = await startDead();
      for (const step of [...steps.toReversed(), ...steps]) await step(ledgers.storage, dead).catch(() => undefined);
      await check();
    });

    it("charges once though two servers do it at the same time", async () => {
      const { ledgers, dead, check } = await startDead();
      const [one, other] = [ledgers.openStorage(), ledgers.openStorage()];
      const charged = await Promise.all([recoverOwner(one, dead), recoverOwner(other, dead), recoverOwner(one, dead)]);
      await recoverOwner(other, { ...dead, state: "charged" });
      assert.equal(
        charged.reduce((sum, count) => sum + count, 0),
        1,
      );
      await Promise.all([one.close(), other.close()]);
      await check();
    });

    it("returns nothing before all is applied", async () => {
      const { ledgers, dead } = await startDead();
      const { storage } = ledgers;
      await storage.chargeCheckpoints(dead);
      const left = await storage.returnShares(dead, 500);
      assert.ok(left > 0);
      assert.equal(await storage.returnShares(dead, 500), left);
      await recoverOwner(storage, { ...dead, state: "charged" });
    });

    it("returns more shares than one statement takes", async () => {
      const ledgers = await create();
      const { db } = ledgers.database;
      await ledgers.transaction(async (transaction) => {
        await sql`insert into owners (id) values (77)`.execute(transaction);
        await sql`insert into shares (kind, account, owner) select 1, 1000000 + number, 0 from generate_series(1, 1200) as number`.execute(
          transaction,
        );
        await sql`insert into shares (kind, account, owner) select 1, 1000000 + number, 77 from generate_series(1, 1200) as number`.execute(
          transaction,
        );
      });
      await ledgers.recover(77);
      const { rows } = await sql`select 1 from shares where owner = 77`.execute(db);
      assert.deepEqual(rows, []);
      assert.ok((await ledgers.owners()).every(({ id }) => id !== 77));
    });

    it("of a server that is live again by then does nothing", async () => {
      const { ledgers, server, row } = await start();
      await server.mustReserve("a", 100);
      await ledgers.storage.heartbeat(row);
      await ledgers.storage.declareDead(row, row.heartbeat);
      assert.equal((await ledgers.ownerRow(row.id)).state, "live", "its heartbeat has changed");
      assert.equal(await ledgers.storage.chargeCheckpoints(row), 0);
      assert.equal((await server.settle("a", 50)).charged, 50);
    });
  });

  describe("a start", () => {
    it("finds a charge that was carried by no checkpoint where it is", async () => {
      const { ledgers, server, next } = await start();
      await server.mustReserve("a", 100);
      await server.checkpoint("a", 10);
      await ledgers.database.db
        .insertInto("logs")
        .values({ ...logOf(ledgers.payer, "other"), quota: 0 })
        .execute();
      assert.equal(await next(), 1);
      assert.equal((await ledgers.userBalance()).remaining, 990);
    });
  });
});
