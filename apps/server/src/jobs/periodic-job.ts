import type { JobName } from "@one-api/contract/system/job-names";
import type { JobRuns } from "../platform/work/job-runs.ts";

export interface PeriodicJob {
  /** Runs the work now, or once more after the current run. Resolves when that run has ended. Does nothing after `stop`. */
  runSoon(): Promise<void>;
  stop(): Promise<void>;
}

export type StoppableJob = Pick<PeriodicJob, "stop">;

interface Schedule {
  /** Also its name in the log. */
  readonly name: JobName;
  readonly everyMs: number;
  readonly runs: JobRuns;
}

/**
 * Runs `work` every `everyMs`, first after one interval, and never concurrently. A failure is logged.
 * Other servers run the same job, which must tolerate that.
 */
export function startPeriodicJob({ name, everyMs, runs }: Schedule, work: () => Promise<void>): PeriodicJob {
  const job = runs.add(name, everyMs);
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let isStopped = false;
  const run = async (): Promise<void> => {
    if (!isStopped) await runs.run(job, work);
  };
  const start = (): Promise<void> => {
    const started = run().then(() => {
      if (current === started) current = undefined;
    });
    current = started;
    return started;
  };
  const runSoon = (): Promise<void> => {
    if (isStopped) return Promise.resolve();
    if (current === undefined) return start();
    next ??= current.then(() => {
      next = undefined;
      return start();
    });
    return next;
  };
  const timer = setInterval(() => {
    runs.tick(job);
    void runSoon();
  }, everyMs);
  timer.unref();
  return {
    runSoon,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await current;
      await next;
    },
  };
}

/** Joins jobs into one. They are stopped in this order. */
export function joinJobs(jobs: readonly StoppableJob[]): StoppableJob {
  return {
    async stop() {
      for (const job of jobs) await job.stop();
    },
  };
}
