import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { it, type TestContext } from "node:test";
import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import { openSqlite } from "@one-api/database/dialects/sqlite";
import type { SyncFile } from "@one-api/database/dialects/wal-sync";
import { createMigratedDatabase } from "@one-api/database/test-databases";
import { systemClock } from "../core/clock.ts";
import { createTestToken } from "../testing/create-test-token.ts";
import { createTestUser } from "../testing/create-test-user.ts";
import { waitUntil } from "../testing/wait-until.ts";
import { checkBalances } from "./check-balances.ts";
import { createLedger } from "./create-ledger.ts";
import { type Settlement, type SettleOutcome, whenSettled } from "./ledger.ts";

const CHARGE = 7;
const QUOTA = 1_000_000;
const MOST_TRIES = 100;

/** A ledger on a file whose syncs the test holds or fails. */
async function start(context: TestContext, syncFile: SyncFile) {
  const made = await createMigratedDatabase("sqlite");
  const database = await openSqlite(made.location.dataDirectory, syncFile);
  const { ledger, upkeep } = createLedger({ database, clock: systemClock });
  await upkeep.start();
  context.after(async () => {
    await ledger.close();
    await database.close();
    await made.remove();
  });
  const { id: userId } = await createTestUser(database, systemClock, "user", { quota: QUOTA });
  const payer = { userId, tokenId: await createTestToken(database, userId, QUOTA, false), tokenUnlimited: false };
  const reserve = async (): Promise<Settlement> => {
    const requestId = randomUUID();
    for (let tries = 1; ; tries += 1) {
      try {
        assert.deepEqual(await ledger.reserve({ ...payer, requestId, amount: 100, createdAt: 1 }), { ok: true });
        return { ...payer, requestId, channelId: 0, charge: CHARGE, at: 2, log: undefined };
      } catch (error) {
        assert.ok(error instanceof DatabaseUnavailableError && tries < MOST_TRIES, String(error));
      }
    }
  };
  const left = async () => {
    const row = database.db.selectFrom("user_balances").select("remaining").where("user_id", "=", userId);
    return (await row.executeTakeFirstOrThrow()).remaining;
  };
  return { database, ledger, reserve, left };
}

it("tells nobody that a charge is booked before the disk has it", async (context) => {
  const disk = { isHeld: false, release: () => {} };
  const { ledger, reserve, left } = await start(context, async () => {
    if (disk.isHeld) await new Promise<void>((resolve) => (disk.release = resolve));
  });
  const first = await reserve();
  disk.isHeld = true;
  let isTold = false;
  const settled = whenSettled(ledger, first).then(() => (isTold = true));
  await waitUntil(async () => (await left()) !== QUOTA);
  assert.equal(isTold, false);
  assert.equal(ledger.open, 1);
  disk.isHeld = false;
  disk.release();
  await settled;
  assert.equal(ledger.open, 0);
});

it("books every request once while the disk fails again and again", async (context) => {
  const random = [0.2, 0.9, 0.7, 0.1, 0.6, 0.3, 0.8];
  let [syncs, failures, fails] = [0, 0, false];
  const { database, ledger, reserve, left } = await start(context, async () => {
    await new Promise(setImmediate);
    if (!fails || (random[syncs++ % random.length] ?? 0) > 0.5) return;
    failures += 1;
    throw new Error("EIO: i/o error, fdatasync");
  });
  /** As the relay does: tries again until it is certain. */
  const settleSurely = async (settlement: Settlement): Promise<SettleOutcome> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await whenSettled(ledger, settlement);
      } catch (error) {
        assert.ok(error instanceof DatabaseUnavailableError && tries < MOST_TRIES, String(error));
      }
    }
  };
  const write = async (key: string) => {
    await database.db
      .insertInto("options")
      .values({ key, value: "" })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
      .catch((error: unknown) => assert.ok(error instanceof DatabaseUnavailableError, String(error)));
  };
  fails = true;
  await Promise.all(
    Array.from({ length: 20 }, async (_, lane) => {
      for (let round = 0; round < 15; round += 1) {
        await settleSurely(await reserve());
        if (lane < 4) await write(`key-${lane}-${round}`);
      }
    }),
  );
  fails = false;
  assert.ok(failures > 5);
  assert.equal(QUOTA - (await left()), 20 * 15 * CHARGE);
  assert.deepEqual(await checkBalances(database), []);
});
