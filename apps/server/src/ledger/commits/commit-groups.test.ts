import assert from "node:assert/strict";
import { it } from "node:test";
import type { Durability, OpenDatabase } from "@one-api/database/open-database";
import { openTestDatabase, whyMissing } from "@one-api/database/test-databases";
import { systemClock } from "../../core/clock.ts";
import { createTestToken } from "../../testing/create-test-token.ts";
import { createTestUser } from "../../testing/create-test-user.ts";
import { checkBalances } from "../check-balances.ts";
import { createLedger } from "../create-ledger.ts";
import { whenSettled } from "../ledger.ts";

const QUOTA = 1_000;

it(
  "lets a request begin before the disk has what is set aside for it, and waits for the disk with all that counts",
  { skip: whyMissing("postgres") ?? false },
  async (context) => {
    const database = await openTestDatabase("postgres");
    context.after(() => database.close());
    const { writeStatement: run } = database;
    assert.ok(run);
    const { id: userId } = await createTestUser(database, systemClock, "user", { quota: QUOTA });
    const payer = { userId, tokenId: await createTestToken(database, userId, QUOTA, false), tokenUnlimited: false };
    let waits: Durability[] = [];
    const watched: OpenDatabase = {
      ...database,
      writeTransaction(work, durability = "on-disk") {
        waits.push(durability);
        return database.writeTransaction(work, durability);
      },
      writeStatement(statement, parameters) {
        waits.push(parameters.includes("in-order") ? "in-order" : "on-disk");
        return run(statement, parameters);
      },
    };
    const { ledger, upkeep } = createLedger({ database: watched, clock: systemClock });
    await upkeep.start();
    const waitsOf = async (work: () => unknown) => {
      waits = [];
      await work();
      return waits;
    };
    const reserve = (requestId: string) => ledger.reserve({ ...payer, requestId, amount: 100, createdAt: 1 });
    const settle = (requestId: string) =>
      whenSettled(ledger, { ...payer, requestId, channelId: 0, charge: 7, at: 2, log: undefined });

    assert.deepEqual(await waitsOf(() => reserve("a")), ["in-order"]);
    assert.deepEqual(await waitsOf(() => ledger.checkpoint([{ requestId: "a", channelId: 0, delivered: 3 }])), [
      "on-disk",
    ]);
    assert.deepEqual(await waitsOf(() => settle("a")), ["on-disk"]);
    await reserve("b");
    assert.deepEqual(
      await waitsOf(() => Promise.all([settle("b"), reserve("c")])),
      ["on-disk"],
      "what shares its commit",
    );
    assert.deepEqual(await waitsOf(() => ledger.release({ ...payer, requestId: "c" })), ["on-disk"]);

    await reserve("undone");
    // What a power cut of the database's server does to a reservation that had not reached its disk.
    await database.db.deleteFrom("relay_holds").where("request_id", "=", "undone").execute();
    await database.db
      .updateTable("user_balances")
      .set({ remaining: QUOTA - 14 })
      .where("user_id", "=", userId)
      .execute();
    await database.db
      .updateTable("token_balances")
      .set({ remaining: QUOTA - 14 })
      .where("token_id", "=", payer.tokenId)
      .execute();
    assert.deepEqual(await settle("undone"), { settled: true, charged: 7 });
    assert.deepEqual(await checkBalances(database), []);
    await ledger.close();
  },
);
