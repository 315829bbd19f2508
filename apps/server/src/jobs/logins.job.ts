import type { CallContext } from "../core/call-context.ts";
import { forgetFailureCounts } from "../features/sessions/index.ts";
import { nowSeconds } from "../platform/clock.ts";
import type { JobRuns } from "../platform/work/job-runs.ts";
import { startPeriodicJob, type StoppableJob } from "./periodic-job.ts";

const EVERY_MS = 3_600_000;

export function startLoginsJob(
  { database, clock }: Pick<CallContext, "database" | "clock">,
  runs: JobRuns,
): StoppableJob {
  return startPeriodicJob({ name: "failed logins", everyMs: EVERY_MS, runs }, () =>
    forgetFailureCounts(database, nowSeconds(clock)),
  );
}
