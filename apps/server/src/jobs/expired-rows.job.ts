import type { CallContext } from "../core/call-context.ts";
import { forgetExpiredRows } from "../features/expired-rows/index.ts";
import { nowSeconds } from "../platform/clock.ts";
import type { JobRuns } from "../platform/work/job-runs.ts";
import { type PeriodicJob, startPeriodicJob } from "./periodic-job.ts";

const EVERY_MS = 3_600_000;

/** Removes expired sessions, login steps, codes, counts, answers and deliveries, and alerts about deleted users and channels. */
export function startExpiredRowsJob(
  { database, clock }: Pick<CallContext, "database" | "clock">,
  runs: JobRuns,
): PeriodicJob {
  let isStopping = false;
  const job = startPeriodicJob({ name: "expired rows", everyMs: EVERY_MS, runs }, () =>
    forgetExpiredRows(database, nowSeconds(clock), () => isStopping),
  );
  return {
    runSoon: () => job.runSoon(),
    stop() {
      isStopping = true;
      return job.stop();
    },
  };
}
