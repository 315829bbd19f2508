import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { eachDatabase } from "@one-api/database/test-databases";
import { sql } from "kysely";
import { ledgersOf, type TestLedgers } from "./testing/test-ledgers.ts";

const CHARGE = 7;
const MOST_TRIES = 200;
/** Requests go on until so many connections broke. */
const LEAST_BROKEN = 4;
const LEAST_ROUNDS = 15;

eachDatabase((open, kind) => {
  const start = ledgersOf(open, afterEach);

  describe("connections that break in the middle of everything", { skip: kind === "sqlite" }, () => {
    it("charge every request once, and lose no quota", async () => {
      const ledgers = await start({ quota: 1_000_000, tokenQuota: 1_000_000 });
      const servers = [await ledgers.start(), await ledgers.start()];
      let isOver = false;
      let [broken, requests] = [0, 0];
      const cutting = (async () => {
        while (!isOver) broken += await cut(ledgers);
      })();
      await Promise.all(
        Array.from({ length: 12 }, async (_, lane) => {
          const server = servers[lane % 2] ?? assert.fail();
          for (let round = 0; round < LEAST_ROUNDS || broken < LEAST_BROKEN; round += 1) {
            const id = `${lane}-${round}`;
            requests += 1;
            await surely(() => server.mustReserve(id, 100));
            await surely(() => server.settle(id, CHARGE));
          }
        }),
      );
      isOver = true;
      await cutting;
      for (const server of servers) await surely(() => server.ledger.applyCharges());
      assert.deepEqual(await ledgers.userBalance(), {
        remaining: 1_000_000 - requests * CHARGE,
        used: requests * CHARGE,
        requests,
      });
      assert.equal(ledgers.fencings, 0);
      assert.deepEqual(ledgers.outdated, []);
    });
  });
});

/** Ends connections of servers' statements, as an operator or a network does. Returns how many. */
async function cut({ database }: TestLedgers): Promise<number> {
  const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and (query like '%with alive%' or query like '%with mine%')`.execute(
    database.db,
  );
  await new Promise((resolve) => setTimeout(resolve, 30));
  return rows.length;
}

/** As the relay does: tries again until it is certain. */
async function surely<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries >= MOST_TRIES || error instanceof assert.AssertionError) throw error;
    }
  }
}
