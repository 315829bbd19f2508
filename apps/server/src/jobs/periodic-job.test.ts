import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createLog } from "../platform/logging/create-log.ts";
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
    return { seen, ends, lines, work, repetition: { name: "count", everyMs: 1_000, log } };
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
    assert.match(lines.join(""), /"job":"count".*the disk is full|the disk is full.*"job":"count"/);
    const again = job.runSoon();
    ends.shift()?.();
    await again;
    assert.equal(seen.runs, 2);
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
