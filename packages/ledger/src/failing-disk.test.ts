import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import { openSqlite } from "@one-api/database/dialects/sqlite";
import type { SyncFile } from "@one-api/database/dialects/wal-sync";
import { createMigratedDatabase } from "@one-api/database/test-databases";
import { TestLedgers } from "./testing/test-ledgers.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";

const CHARGE = 7;
const QUOTA = 1_000_000;
const MOST_TRIES = 100;

/** A ledger on a SQLite file whose syncs the test holds or fails. */
async function start(context: TestContext, syncFile: SyncFile) {
  const made = await createMigratedDatabase("sqlite");
  const database = await openSqlite(made.location.dataDirectory, syncFile);
  const ledgers = await TestLedgers.create(database, { quota: QUOTA, tokenQuota: QUOTA });
  const server = await ledgers.start();
  context.after(async () => {
    await ledgers.finish();
    await made.remove();
  });
  return { ledgers, server };
}

/** As the relay does: tries again until it is certain. */
async function surely<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      assert.ok(error instanceof DatabaseUnavailableError && tries < MOST_TRIES, String(error));
    }
  }
}

it("nobody is told that a charge is booked before the disk has it", async (context) => {
  const disk = { isHeld: false, release: () => {} };
  const { ledgers, server } = await start(context, async () => {
    if (disk.isHeld) await new Promise<void>((resolve) => (disk.release = resolve));
  });
  await server.mustReserve("a", 100);
  disk.isHeld = true;
  let isTold = false;
  const settled = server.settle("a", CHARGE).then(() => (isTold = true));
  await waitUntil(async () => (await ledgers.charges("a")).length === 1);
  assert.equal(isTold, false);
  assert.equal(server.ledger.open, 1);
  disk.isHeld = false;
  disk.release();
  await settled;
  assert.equal(server.ledger.open, 0);
});

it("nobody is told that a server is dead, or what it had delivered is charged, before the disk has it", async (context) => {
  let release: (() => void) | undefined;
  let isHeld = false;
  const { ledgers, server } = await start(context, async () => {
    if (isHeld) await new Promise<void>((resolve) => (release = resolve));
  });
  await server.mustReserve("a", 100);
  await server.checkpoint("a", CHARGE);
  const { storage } = ledgers;
  const [row] = await ledgers.owners();
  assert.ok(row);
  const waits = async (work: () => Promise<unknown>) => {
    isHeld = true;
    let isTold = false;
    const told = work().then(() => (isTold = true));
    await waitUntil(async () => release !== undefined);
    assert.equal(isTold, false);
    isHeld = false;
    release?.();
    await told;
    release = undefined;
  };
  await waits(() => storage.raise(row));
  const raised = await ledgers.ownerRow(row.id);
  await waits(() => storage.declareDead(raised, raised.heartbeat));
  await waits(async () => assert.equal(await storage.chargeCheckpoints(await ledgers.ownerRow(row.id)), 1));
  assert.deepEqual(await ledgers.charges("a"), [CHARGE]);
});

it("every request is booked once while the disk fails again and again", async (context) => {
  const random = [0.2, 0.9, 0.7, 0.1, 0.6, 0.3, 0.8];
  let [syncs, failures, fails] = [0, 0, false];
  const { ledgers, server } = await start(context, async () => {
    await new Promise(setImmediate);
    if (!fails || (random[syncs++ % random.length] ?? 0) > 0.5) return;
    failures += 1;
    throw new Error("EIO: i/o error, fdatasync");
  });
  fails = true;
  await Promise.all(
    Array.from({ length: 20 }, async (_, lane) => {
      for (let round = 0; round < 10; round += 1) {
        const id = `${lane}-${round}`;
        await surely(() => server.mustReserve(id, 100));
        await surely(() => server.settle(id, CHARGE));
      }
    }),
  );
  fails = false;
  assert.ok(failures > 5);
  assert.equal(QUOTA - (await ledgers.userBalance()).remaining, 20 * 10 * CHARGE);
});
