import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createLog } from "../platform/logging/create-log.ts";
import { JobRuns } from "../platform/work/job-runs.ts";
import { createTestClock } from "../testing/test-clock.ts";
import { startPeriodicJob } from "./periodic-job.ts";

describe("a periodic job", () => {
  /** Work that a test ends; counts its runs and concurrent ones. */
  function controlledWork() {
    const lines: string[] = [];
    const ends: ((error?: Error) => void)[] = [];
    const seen = { runs: 0, atOnce: 0, mostAtOnce: 0 };
    const work = async () => {
      seen.runs += 1;
      seen.atOnce += 1;
      seen.mostAtOnce = Math.max(seen.mostAtOnce, seen.atOnce);
      try {
        await new Promise<void>((resolve, reject) => {
          ends.push((error) => (error === undefined ? resolve() : reject(error)));
        });
      } finally {
        seen.atOnce -= 1;
      }
    };
    const log = createLog("warn", { write: (line) => void lines.push(line) });
    const clock = createTestClock(1_000_000);
    const runs = new JobRuns(clock, log);
    return { seen, ends, lines, work, clock, runs, repetition: { name: "budgets", everyMs: 1_000, runs } as const };
  }

  test("runs at each interval, and not after its stop", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    let runs = 0;
    const { repetition } = controlledWork();
    const job = startPeriodicJob(repetition, async () => void (runs += 1));
    assert.equal(runs, 0);
    t.mock.timers.tick(1_000);
    await job.runSoon();
    assert.equal(runs, 2);
    await job.stop();
    t.mock.timers.tick(5_000);
    await job.runSoon();
    assert.equal(runs, 2);
  });

  test("never runs concurrently; requests during a run cause one more run", async () => {
    const { seen, ends, work, repetition } = controlledWork();
    const job = startPeriodicJob(repetition, work);
    const first = job.runSoon();
    const later = [job.runSoon(), job.runSoon(), job.runSoon()];
    ends.shift()?.();
    await first;
    ends.shift()?.();
    await Promise.all(later);
    assert.deepEqual(seen, { runs: 2, atOnce: 0, mostAtOnce: 1 });
    await job.stop();
  });

  test("continues after a failure, which is logged", async () => {
    const { seen, ends, lines, work, repetition } = controlledWork();
    const job = startPeriodicJob(repetition, work);
    const failing = job.runSoon();
    ends.shift()?.(new Error("the disk is full"));
    await failing;
    assert.match(lines.join(""), /"job":"budgets".*the disk is full|the disk is full.*"job":"budgets"/);
    const again = job.runSoon();
    ends.shift()?.();
    await again;
    assert.equal(seen.runs, 2);
    await job.stop();
  });

  test("remembers its last run and when the next one is due", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const { ends, work, clock, runs, repetition } = controlledWork();
    const job = startPeriodicJob(repetition, work);
    const before = { name: "budgets", everyMs: 1_000, runs: 0, lastRunAtMs: 0, lastMs: 0, lastError: "" };
    assert.deepEqual(runs.all, [{ ...before, nextRunAtMs: 1_001_000 }]);
    clock.advanceSeconds(1);
    t.mock.timers.tick(1_000);
    clock.advanceSeconds(0.25);
    const again = job.runSoon();
    ends.shift()?.(new Error("postgres://me:secret@db.example is\nout of reach"));
    await new Promise(setImmediate);
    const failed = { ...before, runs: 1, lastRunAtMs: 1_001_000, lastMs: 250, nextRunAtMs: 1_002_000 };
    assert.deepEqual(runs.all, [{ ...failed, lastError: "postgres://me:(secret)@db.example is out of reach" }]);
    ends.shift()?.();
    await again;
    assert.deepEqual(runs.all, [{ ...failed, runs: 2, lastRunAtMs: 1_001_250, lastMs: 0, lastError: "" }]);
    await job.stop();
  });

  test("stops after the current run", async () => {
    const { seen, ends, work, repetition } = controlledWork();
    const job = startPeriodicJob(repetition, work);
    void job.runSoon();
    void job.runSoon();
    let stopped = false;
    const stopping = job.stop().then(() => (stopped = true));
    await Promise.resolve();
    assert.equal(stopped, false);
    ends.shift()?.();
    await stopping;
    assert.deepEqual(seen, { runs: 1, atOnce: 0, mostAtOnce: 1 }, "the run that waited is given up");
  });
});
