import type { Logger } from "pino";

export interface PeriodicJob {
  /** Runs the work now, or once more after the current run. Resolves when that run has ended. Does nothing after `stop`. */
  runSoon(): Promise<void>;
  stop(): Promise<void>;
}

export type StoppableJob = Pick<PeriodicJob, "stop">;

interface Schedule {
  /** Name in the log, for example `budgets`. */
  readonly name: string;
  readonly everyMs: number;
  readonly log: Pick<Logger, "error">;
}

/**
 * Runs `work` every `everyMs`, first after one interval, and never concurrently. A failure is logged.
 * Other servers run the same job, which must tolerate that.
 */
export function startPeriodicJob({ name, everyMs, log }: Schedule, work: () => Promise<void>): PeriodicJob {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let isStopped = false;
  const run = async (): Promise<void> => {
    if (isStopped) return;
    try {
      await work();
    } catch (error) {
      log.error({ err: error, job: name }, "periodic job failed; the next run tries again");
    }
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
  const timer = setInterval(() => void runSoon(), everyMs);
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
