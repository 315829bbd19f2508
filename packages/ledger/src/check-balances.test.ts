import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { eachDatabase } from "@one-api/database/test-databases";
import { sql } from "kysely";
import { checkBalances } from "./check-balances.ts";
import { ledgersOf, logOf } from "./testing/test-ledgers.ts";

eachDatabase((open) => {
  const create = ledgersOf(open, afterEach);

  async function start() {
    const ledgers = await create();
    const server = await ledgers.start();
    const payer = await ledgers.setBudget({ quota: 1_000, period: "daily" });
    await server.mustReserve("open", 10, payer);
    await server.call("a", 20, payer);
    assert.deepEqual(await checkBalances(ledgers.database), [], "beside a server, at any time");
    await server.ledger.applyCharges();
    assert.deepEqual(await checkBalances(ledgers.database), []);
    ledgers.isDamaged = true;
    const run = (statement: ReturnType<typeof sql>) => statement.execute(ledgers.database.db);
    const found = async () =>
      (await checkBalances(ledgers.database)).map(({ account, what, stored, expected }) => [
        account,
        what,
        stored - expected,
      ]);
    return { ledgers, server, payer, run, found };
  }

  describe("the comparison of balances", () => {
    it("finds quota that came from nowhere, and quota that is gone", async () => {
      const { ledgers, run, found } = await start();
      await run(sql`update shares set remaining = remaining + 5 where kind = 1 and owner = 0`);
      assert.deepEqual(await found(), [["user", "remaining", 5]]);
      await run(sql`update shares set remaining = remaining - 5 where kind = 1 and owner = 0`);
      await run(sql`update shares set remaining = remaining + 3, used = used - 2 where kind = 2 and owner = 0`);
      assert.deepEqual(new Set((await found()).map(String)), new Set(["token,remaining,3", "token,used,-2"]));
      assert.equal(ledgers.warnings.length, 0);
    });

    it("finds a charge that was booked twice, and one that is gone", async () => {
      const { ledgers, run, found } = await start();
      const { db } = ledgers.database;
      await db
        .insertInto("logs")
        .values({
          ...logOf(ledgers.payer, "twice"),
          quota: 20,
          token_id: ledgers.payer.tokenId,
          token_amount: 20,
          owner: 0,
        })
        .execute();
      assert.deepEqual(
        new Set((await found()).map(([account, what]) => `${account} ${what}`)),
        new Set(["token remaining", "token used", "user remaining", "user used"]),
      );
      await run(sql`delete from logs where request_id = 'twice'`);
      assert.deepEqual(await found(), []);
      await run(sql`delete from logs where request_id = 'a'`);
      assert.deepEqual(new Set((await found()).map(([account]) => account)), new Set(["user", "token", "budget"]));
    });

    it("finds a budget whose window does not add up", async () => {
      const { run, found } = await start();
      await run(sql`update shares set remaining = remaining - 7 where kind = 3 and owner = 0`);
      assert.deepEqual(await found(), [["budget", "remaining", -7]]);
    });

    it("finds shares and checkpoints of nobody", async () => {
      const { run, server, found } = await start();
      await server.checkpoint("open", 1);
      await run(sql`update checkpoints set owner = 4711`);
      await run(sql`insert into shares (kind, account, owner) values (1, 1, 4712)`);
      assert.deepEqual(new Set((await found()).map(([account]) => account)), new Set(["checkpoint", "share"]));
    });

    it("finds a share that is charged more than it has", async () => {
      const { ledgers, server, payer, run, found } = await start();
      server.statements.break("apply", "held");
      await server.settle("open", 10, payer);
      await run(sql`update shares set remaining = remaining + (select own.remaining from shares as own where own.kind = 1 and own.owner <> 0)
        where kind = 1 and owner = 0`);
      await run(sql`update shares set remaining = 0 where kind = 1 and owner <> 0`);
      assert.deepEqual(
        (await found()).map(([account, what]) => [account, what]),
        [["share", "remaining"]],
      );
      assert.equal((await ledgers.userBalance()).remaining, 970);
    });
  });
});
