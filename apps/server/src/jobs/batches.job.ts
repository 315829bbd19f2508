import { type BatchServices, followDueBatches } from "../relay/batches/index.ts";
import type { JobRuns } from "../platform/work/job-runs.ts";
import { startPeriodicJob, type StoppableJob } from "./periodic-job.ts";

const EVERY_MS = 20_000;

/** Charges batches when they end, and registers their files as their owner's. */
export function startBatchesJob(deps: BatchServices, runs: JobRuns): StoppableJob {
  return startPeriodicJob({ name: "batches", everyMs: EVERY_MS, runs }, () => followDueBatches(deps));
}
