import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { CommitOutcomeUnknownError, DatabaseUnavailableError } from "@one-api/database/database-errors";
import type { OpenDatabase } from "@one-api/database/open-database";
import { openTestDatabase, whyMissing } from "@one-api/database/test-databases";
import { systemClock } from "../core/clock.ts";
import { createTestToken } from "../testing/create-test-token.ts";
import { createTestUser } from "../testing/create-test-user.ts";
import { waitUntil } from "../testing/wait-until.ts";
import { checkBalances } from "./check-balances.ts";
import { createLedger } from "./create-ledger.ts";
import { whenSettled } from "./ledger.ts";

/** How long the server is busy with a statement that nobody listens to any more, in ms. */
const UNDER_WAY_MS = 500;
/** When the gateway looks for it once more. */
const LATE_MS = 2_000;

describe("a reservation on PostgreSQL", { skip: whyMissing("postgres") ?? false }, () => {
  it("that was refused is given back, also where its statement comes through after the connection broke", async () => {
    const database = await openTestDatabase("postgres");
    const { writeStatement } = database;
    assert.ok(writeStatement);
    let isBroken = false;
    let arrival: Promise<unknown> | undefined;
    const breaking: OpenDatabase = {
      ...database,
      writeTransaction: (work, durability) =>
        isBroken
          ? Promise.reject(new DatabaseUnavailableError("The network is away."))
          : database.writeTransaction(work, durability),
      writeStatement(statement, parameters) {
        if (!isBroken) return writeStatement(statement, parameters);
        arrival = wait(UNDER_WAY_MS).then(() => writeStatement(statement, parameters));
        return Promise.reject(new CommitOutcomeUnknownError("The connection broke."));
      },
    };
    const { ledger, upkeep } = createLedger({
      database: breaking,
      clock: systemClock,
      waits: { lateMs: LATE_MS, silentMs: 60_000 },
    });
    await upkeep.start();
    const { id: userId } = await createTestUser(database, systemClock, "user", { quota: 1_000 });
    const tokenId = await createTestToken(database, userId, 1_000, true);
    const request = { userId, tokenId, tokenUnlimited: true, requestId: "late" };
    isBroken = true;
    await assert.rejects(async () => ledger.reserve({ ...request, amount: 100, createdAt: 1 }));
    isBroken = false;
    await whenSettled(ledger, { ...request, channelId: 0, charge: undefined, at: 2, log: undefined });
    await arrival;
    const holds = () => database.db.selectFrom("relay_holds").select("request_id").execute();
    assert.equal((await holds()).length, 1, "nobody knew of it when it was given back");
    await waitUntil(async () => (await holds()).length === 0);
    const balances = await database.db
      .selectFrom("user_balances")
      .select("remaining")
      .where("user_id", "=", userId)
      .execute();
    assert.deepEqual(balances, [{ remaining: 1_000 }]);
    assert.deepEqual(await checkBalances(database), []);
    await ledger.close();
    await database.close();
  });

  it("without an answer is refused, and given back when it comes", async () => {
    const database = await openTestDatabase("postgres");
    const { writeStatement } = database;
    assert.ok(writeStatement);
    let arrival: Promise<unknown> | undefined;
    const network = Promise.withResolvers<void>();
    const silent: OpenDatabase = {
      ...database,
      writeStatement(statement, parameters) {
        const written = network.promise.then(() => writeStatement(statement, parameters));
        arrival ??= written;
        return written;
      },
    };
    const waits = { lateMs: 60_000, silentMs: 100 };
    const { ledger, upkeep } = createLedger({ database: silent, clock: systemClock, waits });
    await upkeep.start();
    const { id: userId } = await createTestUser(database, systemClock, "user", { quota: 1_000 });
    const tokenId = await createTestToken(database, userId, 1_000, true);
    const request = { userId, tokenId, tokenUnlimited: true, requestId: "unheard" };
    await assert.rejects(
      async () => ledger.reserve({ ...request, amount: 100, createdAt: 1 }),
      DatabaseUnavailableError,
    );
    network.resolve();
    await arrival;
    const holds = () => database.db.selectFrom("relay_holds").select("request_id").execute();
    await waitUntil(async () => (await holds()).length === 0);
    assert.equal(await ledger.available(request, 1), 1_000);
    assert.deepEqual(await checkBalances(database), []);
    await ledger.close();
    await database.close();
  });
});
