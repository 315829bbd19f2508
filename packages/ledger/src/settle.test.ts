import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { eachDatabase } from "@one-api/database/test-databases";
import { sql } from "kysely";
import { whenSettled } from "./ledger.ts";
import { ledgersOf, logOf, NOON } from "./testing/test-ledgers.ts";

eachDatabase((open, kind) => {
  const start = ledgersOf(open, afterEach);

  describe("a settlement", () => {
    it("charges a request once, however often it is asked to [CONST-30]", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      await server.mustReserve("a", 300);
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => server.settle("a", 100)));
      assert.equal(outcomes.filter(({ settled }) => settled).length, 1);
      assert.equal((await server.settle("a", 100)).settled, false);
      assert.equal((await server.settle("a", undefined)).settled, false, "a delivered answer stays charged");
      assert.equal((await ledgers.userBalance()).remaining, 900);
      assert.equal((await ledgers.rows()).length, 1);
    });

    it("takes more than was reserved from what is free, and books the rest as shortfall", async () => {
      const ledgers = await start({ quota: 100, tokenQuota: 1_000 });
      const server = await ledgers.start();
      await server.mustReserve("a", 60);
      assert.deepEqual(await server.settle("a", 150), { settled: true, charged: 100 });
      assert.deepEqual(await ledgers.userBalance(), { remaining: 0, used: 100, requests: 1 });
      assert.deepEqual(await ledgers.rows(), [{ type: 2, quota: 100, token_amount: 100, shortfall: 50, hidden: 0 }]);
    });

    it("takes nothing that other requests have reserved", async () => {
      const ledgers = await start({ quota: 100, tokenQuota: 1_000 });
      const server = await ledgers.start();
      await server.mustReserve("over", 40);
      await server.mustReserve("other", 50);
      assert.deepEqual(await server.settle("over", 90), { settled: true, charged: 50 });
      assert.deepEqual(await server.settle("other", 50), { settled: true, charged: 50 });
      assert.deepEqual(
        (await ledgers.rows()).map(({ shortfall }) => shortfall),
        [40, 0],
      );
    });

    it("charges the user in full where the token covers less", async () => {
      const ledgers = await start({ quota: 1_000, tokenQuota: 100 });
      const server = await ledgers.start();
      await server.mustReserve("a", 60);
      assert.deepEqual(await server.settle("a", 150), { settled: true, charged: 150 });
      assert.equal((await ledgers.userBalance()).remaining, 850);
      assert.deepEqual(await ledgers.tokenBalance(), { remaining: 0, used: 150 });
    });

    it("charges nothing for a request that delivered nothing, and counts none", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      await server.mustReserve("a", 300);
      assert.deepEqual(await server.settle("a", undefined), { settled: true, charged: 0 });
      assert.deepEqual(await ledgers.userBalance(), { remaining: 1_000, used: 0, requests: 0 });
      assert.deepEqual(await ledgers.rows(), [{ type: 2, quota: 0, token_amount: 0, shortfall: 0, hidden: 0 }]);
      assert.equal(await server.available(), 500);
    });

    it("counts a free request", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      await server.mustReserve("a", 300);
      assert.deepEqual(await server.settle("a", 0), { settled: true, charged: 0 });
      assert.deepEqual(await ledgers.userBalance(), { remaining: 1_000, used: 0, requests: 1 });
    });

    it("books a hidden row while the log is switched off", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      await server.mustReserve("a", 300);
      await whenSettled(server.ledger, { ...server.settlement("a", 20), log: undefined });
      assert.deepEqual(await ledgers.rows(), [{ type: 2, quota: 20, token_amount: 20, shortfall: 0, hidden: 1 }]);
    });

    it("counts in its channel, and a refund is taken off there too", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      const channelId = await ledgers.addChannel();
      const spent = async () => {
        await server.ledger.applyCharges();
        const query = ledgers.database.db.selectFrom("channels").select("used_quota").where("id", "=", channelId);
        return (await query.executeTakeFirstOrThrow()).used_quota;
      };
      const settle = (charge: number | undefined) =>
        whenSettled(server.ledger, {
          ...server.settlement("a", charge),
          channelId,
          log: { ...logOf(ledgers.payer, "a"), channel_id: channelId },
        });
      await server.mustReserve("a", 300);
      server.statements.break("settle", "lost");
      await assert.rejects(settle(120));
      server.statements.repair();
      await server.ledger.applyCharges();
      assert.equal(await spent(), 120);
      assert.deepEqual(await settle(undefined), { settled: true, charged: 0 });
      assert.equal(await spent(), 0);
    });

    it("serves many requests with few commits, each on disk before the answer, one at a time", async () => {
      const ledgers = await start({ quota: 100_000, tokenQuota: 100_000 });
      const server = await ledgers.start();
      const ids = Array.from({ length: 300 }, (_, index) => `r${index}`);
      await Promise.all(ids.map((id) => server.mustReserve(id, 10)));
      let answered = 0;
      server.statements.break("settle", "held");
      const settled = Promise.all(ids.map((id) => server.settle(id, 3).then(() => (answered += 1))));
      while (answered < ids.length) {
        await new Promise(setImmediate);
        assert.ok(server.statements.waiting <= 1, "one settlement at a time");
        const booked = (await ledgers.rows()).length;
        assert.ok(answered <= booked, "no answer before the commit");
        await server.statements.deliver();
      }
      await settled;
      assert.ok(server.statements.groups.length < 60, `${server.statements.groups.length} commits`);
      assert.ok(Math.max(...server.statements.groups) <= 256);
      assert.equal(server.statements.mostSettlements, 1);
      assert.equal((await ledgers.userBalance()).used, 900);
    });

    it("fails alone where the database refuses its row", async () => {
      const ledgers = await start({ quota: 1_000, tokenQuota: 1_000 });
      const server = await ledgers.start();
      const refuse =
        kind === "sqlite"
          ? sql`create trigger refused before insert on logs when new.model_name = 'bad' begin select raise(abort, 'refused'); end`
          : sql`alter table logs add constraint refused check (model_name <> 'bad')`;
      await refuse.execute(ledgers.database.db);
      for (const id of ["a", "bad", "b"]) await server.mustReserve(id, 100);
      const settlements = ["a", "bad", "b"].map((id) => {
        const settlement = server.settlement(id, 70);
        const log = settlement.log && { ...settlement.log, model_name: id };
        return whenSettled(server.ledger, { ...settlement, log });
      });
      const outcomes = await Promise.allSettled(settlements);
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ["fulfilled", "rejected", "fulfilled"],
      );
      assert.equal(server.ledger.open, 1, "the refused one is open");
      assert.equal(await server.available(), 1_000 - 140 - 100);
      assert.deepEqual(await server.settle("bad", 60), { settled: true, charged: 60 });
      assert.deepEqual(await ledgers.userBalance(), { remaining: 800, used: 200, requests: 3 });
    });

    it("answers everybody though one caller's own code throws", async (context) => {
      const ledgers = await start();
      const server = await ledgers.start();
      const thrown: unknown[] = [];
      const listener = (error: unknown) => thrown.push(error);
      const others = process.listeners("uncaughtException");
      process.removeAllListeners("uncaughtException");
      process.on("uncaughtException", listener);
      context.after(() => {
        process.removeListener("uncaughtException", listener);
        for (const other of others) process.on("uncaughtException", other);
      });
      await server.mustReserve("a", 100);
      await server.mustReserve("b", 100);
      server.ledger.settle(server.settlement("a", 10), () => {
        throw new Error("a fault of the caller");
      });
      assert.deepEqual(await server.settle("b", 10), { settled: true, charged: 10 });
      assert.equal(thrown.length, 1);
      assert.equal(server.ledger.open, 0);
    });

    it("brings every text to the log as it is", async () => {
      const ledgers = await start({ quota: 1_000, tokenQuota: 1_000 });
      const server = await ledgers.start();
      const texts = [
        "",
        "NULL",
        "a,b",
        '{"a":"b\\\\c"}',
        "'quoted'",
        '"',
        "\\",
        "{}",
        " padded ",
        "日本",
        "two\nlines\tand\r",
        "😀",
        "\u0001\b",
      ];
      for (const [index] of texts.entries()) await server.mustReserve(`t${index}`, 10);
      await Promise.all(
        texts.map((content, index) => {
          const settlement = server.settlement(`t${index}`, 1);
          return whenSettled(server.ledger, { ...settlement, log: { ...logOf(ledgers.payer, `t${index}`), content } });
        }),
      );
      const rows = await ledgers.database.db.selectFrom("logs").select(["request_id", "content"]).execute();
      for (const [index, content] of texts.entries())
        assert.equal(rows.find(({ request_id }) => request_id === `t${index}`)?.content, content);
    });

    it("leaves rows that move no money out where the request has a charge", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      await server.mustReserve("a", 300);
      await server.settle("a", 120);
      const free = { ...logOf(ledgers.payer, "a"), token_id: 5 };
      await server.ledger.writeLogs([free, { ...free, request_id: "refused" }]);
      assert.deepEqual(
        (await ledgers.rows()).map(({ quota }) => quota),
        [120, 0],
      );
    });

    it("of a deleted token or user is charged to what is left of them", async () => {
      const ledgers = await start();
      const server = await ledgers.start();
      const { db } = ledgers.database;
      const gone = await ledgers.addPayer({ unlimited: true });
      await server.mustReserve("token", 100);
      await server.mustReserve("user", 100, gone);
      await db.deleteFrom("tokens").where("id", "=", ledgers.payer.tokenId).execute();
      await db.deleteFrom("tokens").where("id", "=", gone.tokenId).execute();
      await db.deleteFrom("users").where("id", "=", gone.userId).execute();
      assert.deepEqual(await server.settle("token", 70), { settled: true, charged: 70 });
      assert.equal((await server.settle("user", 70, gone)).settled, true);
      await server.ledger.applyCharges();
      assert.deepEqual(await ledgers.userBalance(), { remaining: 930, used: 70, requests: 1 });
      assert.deepEqual(ledgers.warnings, []);
      assert.equal(await server.available(NOON, { ...ledgers.payer, tokenUnlimited: true }), 930);
    });
  });
});
