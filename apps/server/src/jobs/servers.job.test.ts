import assert from "node:assert/strict";
import { test } from "node:test";
import { eachDatabase } from "@one-api/database/test-databases";
import { Outages } from "../features/system/index.ts";
import { createLog } from "../platform/logging/create-log.ts";
import { JobRuns } from "../platform/work/job-runs.ts";
import { createTestClock } from "../testing/test-clock.ts";
import { startServersJob } from "./servers.job.ts";

const DAY_SECONDS = 24 * 3_600;

eachDatabase((open) => {
  test("a server reports at its start, every ten seconds and at its stop, and notes outages", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const database = await open();
    const { db } = database;
    const clock = createTestClock();
    const startedAt = Math.floor(clock.nowMs() / 1_000);
    const figures = { stopped_at: 0, in_flight: 0, balances_checked_at: 0, balance_differences: 0 };
    const old = { name: "old", version: "1", started_at: 1, ...figures };
    for (const [id, age] of [
      [71, DAY_SECONDS],
      [72, DAY_SECONDS + 1],
    ] as const)
      await db
        .insertInto("servers")
        .values({ ...old, id, reported_at: startedAt - age })
        .execute();
    const inFlight = { size: 4 };
    const parts = {
      name: "a",
      version: "1.2.3",
      startedAt,
      ledger: { ownerId: 73 },
      inFlight,
      balances: { last: { differences: 1, at: startedAt - 5 } },
    };
    const [outages, runs] = [new Outages(), new JobRuns(clock, createLog("silent"))];
    const job = startServersJob({ database, clock }, { parts, outages, runs });
    const ended = (count: number) =>
      t.waitFor(() => assert.equal(runs.all[0]?.runs, count), { interval: 5, timeout: 10_000 });
    const tick = async (count: number) => {
      clock.advanceSeconds(10);
      t.mock.timers.tick(10_000);
      await ended(count);
    };
    const reports = () => db.selectFrom("servers").selectAll().orderBy("id").execute();
    const report = {
      id: 73,
      name: "a",
      version: "1.2.3",
      started_at: startedAt,
      reported_at: startedAt,
      stopped_at: 0,
      in_flight: 4,
      balances_checked_at: startedAt - 5,
      balance_differences: 1,
    };
    await ended(1);
    assert.deepEqual((await reports()).at(-1), report);
    const ids = (await reports()).map(({ id }) => id);
    assert.deepEqual(ids, [71, 73], "reports of the last day are stored");

    await db.schema.alterTable("servers").renameTo("moved").execute();
    await tick(2);
    assert.deepEqual([outages.all[0]?.startedAt, outages.all[0]?.endedAt], [startedAt + 10, 0]);
    assert.match(outages.all[0]?.reason ?? "", /servers/);
    await db.schema.alterTable("moved").renameTo("servers").execute();
    inFlight.size = 0;
    await tick(3);
    assert.equal(outages.all[0]?.endedAt, startedAt + 20);
    assert.deepEqual(await reports(), [{ ...report, reported_at: startedAt + 20, in_flight: 0 }]);

    clock.advanceSeconds(1);
    await job.stop();
    const stopped = { ...report, in_flight: 0, reported_at: startedAt + 21, stopped_at: startedAt + 21 };
    assert.deepEqual(await reports(), [stopped]);
  });
});
