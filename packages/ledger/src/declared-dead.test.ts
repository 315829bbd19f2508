import assert from "node:assert/strict";
import { it } from "node:test";
import { CommitOutcomeUnknownError } from "@one-api/database/database-errors";
import { openTestDatabase, whyMissing } from "@one-api/database/test-databases";
import { sampleToken, sampleUser } from "@one-api/database/testing/sample-rows";
import { checkBalances } from "./check-balances.ts";
import { createServerLedger } from "./create-server-ledger.ts";
import { whenSettled } from "./ledger.ts";
import { createQuotaLedger } from "./quota-in-transaction.ts";
import { replaceMethods } from "./testing/replace-methods.ts";
import { TestClock } from "./testing/test-clock.ts";

it(
  "charges nothing as a new owner that waited to be charged when the server was declared dead",
  { skip: whyMissing("postgres") ?? false },
  async (t) => {
    const database = await openTestDatabase("postgres");
    const { db } = database;
    const { id: userId } = await db.insertInto("users").values(sampleUser()).returning("id").executeTakeFirstOrThrow();
    const token = sampleToken({ user_id: userId, unlimited_quota: 1 });
    const { id: tokenId } = await db.insertInto("tokens").values(token).returning("id").executeTakeFirstOrThrow();
    await createQuotaLedger().grant(db, { userId, amount: 1_000, note: "", at: 0 });
    const raising = Promise.withResolvers<void>();
    const mayRaise = Promise.withResolvers<void>();
    let isBroken = false;
    const process = createServerLedger({
      database,
      clock: new TestClock(0),
      warn: () => undefined,
      onOutdated: (error) => assert.fail(error),
      aroundStorage: (storage) =>
        replaceMethods(storage, {
          async settle(owner, rows) {
            if (isBroken) throw new CommitOutcomeUnknownError("The connection broke.");
            return storage.settle(owner, rows);
          },
          async raise(owner) {
            raising.resolve();
            await mayRaise.promise;
            await storage.declareDead(owner, 0);
            return storage.raise(owner);
          },
        }),
    });
    t.after(() => database.close());
    await process.start();
    const { ledger } = process;
    const payer = { userId, tokenId, tokenUnlimited: true };
    const settle = (requestId: string) =>
      whenSettled(ledger, { ...payer, requestId, channelId: 0, charge: 40, log: undefined, at: 0 });
    for (const requestId of ["a", "b"])
      assert.deepEqual(await ledger.reserve({ ...payer, requestId, amount: 40, createdAt: 0 }), { ok: true });
    isBroken = true;
    await assert.rejects(settle("a"), CommitOutcomeUnknownError);
    await raising.promise;
    isBroken = false;
    const waiting = settle("b");
    mayRaise.resolve();
    assert.deepEqual(await waiting, { settled: false, charged: 0 });
    assert.deepEqual(await checkBalances(database), []);
    await ledger.close();
  },
);
