import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { afterEach, it } from "node:test";
import type { Worker } from "node:worker_threads";
import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import type { OpenDatabase } from "@one-api/database/open-database";
import { openTestDatabase } from "@one-api/database/test-databases";
import { systemClock } from "../core/clock.ts";
import { createTestToken } from "../testing/create-test-token.ts";
import { createTestUser } from "../testing/create-test-user.ts";
import { checkBalances } from "./check-balances.ts";
import { createThreadedGroupCommitter, startLedgerThread } from "./commit-groups-in-thread.ts";
import { createLedgerWriter } from "./commit-groups.ts";
import { LedgerInMemory } from "./ledger-in-memory.ts";
import { type Ledger, type Settlement, type SettleOutcome, whenSettled } from "./ledger.ts";

const CHARGE = 7;
const opened: { database: OpenDatabase; ledger: Ledger }[] = [];

afterEach(async () => {
  for (const { database, ledger } of opened.splice(0)) {
    await ledger.close();
    await database.close();
  }
});

async function start() {
  const database = await openTestDatabase("sqlite");
  const { sqliteFile } = database;
  assert.ok(sqliteFile !== undefined);
  const threads: Worker[] = [];
  const committer = createThreadedGroupCommitter(sqliteFile, (data) => {
    const thread = startLedgerThread(data);
    threads.push(thread);
    return thread;
  });
  const ledger = new LedgerInMemory(createLedgerWriter(database, committer));
  opened.push({ database, ledger });
  const user = await createTestUser(database, systemClock, "user", { quota: 1_000_000 });
  const payer = {
    userId: user.id,
    tokenId: await createTestToken(database, user.id, 1_000_000, false),
    tokenUnlimited: false,
  };
  /** As the relay does: tries again until it is certain. */
  const settleSurely = async (settlement: Settlement): Promise<SettleOutcome> => {
    for (;;) {
      try {
        return await whenSettled(ledger, settlement);
      } catch (error) {
        assert.ok(error instanceof DatabaseUnavailableError);
      }
    }
  };
  let asked = 0;
  const request = async () => {
    asked += 1;
    const requestId = randomUUID();
    const reserved = await ledger.reserve({ ...payer, requestId, amount: 100, createdAt: 1 });
    assert.deepEqual(reserved, { ok: true });
    await settleSurely({ ...payer, requestId, channelId: 0, charge: CHARGE, at: 2, log: undefined });
  };
  const left = async () =>
    (
      await database.db
        .selectFrom("user_balances")
        .select("remaining")
        .where("user_id", "=", user.id)
        .executeTakeFirstOrThrow()
    ).remaining;
  return { database, threads, request, left, asked: () => asked };
}

it("books every request once while the process itself writes to the same file", async () => {
  const { database, request, left } = await start();
  const write = (key: string) => database.db.insertInto("options").values({ key, value: "" }).execute();
  await Promise.all(Array.from({ length: 200 }, (_, index) => Promise.all([request(), write(`key-${index}`)])));
  assert.equal(await left(), 1_000_000 - 200 * CHARGE);
  assert.deepEqual(await checkBalances(database), []);
});

it("books every request once when the thread dies under them again and again", async () => {
  const { database, threads, request, left, asked } = await start();
  let isOver = false;
  const killing = (async () => {
    while (!isOver) {
      const known = threads.length;
      await request();
      await threads[known - 1]?.terminate();
    }
  })();
  const requests = Array.from({ length: 20 }, async () => {
    for (let round = 0; round < 10; round += 1) await request();
  });
  await Promise.all(requests);
  isOver = true;
  await killing;
  assert.ok(threads.length > 1);
  assert.equal(1_000_000 - (await left()), asked() * CHARGE);
  assert.deepEqual(await checkBalances(database), []);
});

it("refuses as unavailable when the file cannot be opened", async () => {
  const database = await openTestDatabase("sqlite");
  const { sqliteFile } = database;
  assert.ok(sqliteFile !== undefined);
  const nowhere = { ...sqliteFile, path: "/nowhere/one-api.db" };
  const committer = createThreadedGroupCommitter(nowhere);
  await assert.rejects(committer.commit([], 1), DatabaseUnavailableError);
  await committer.close();
  await database.close();
});
