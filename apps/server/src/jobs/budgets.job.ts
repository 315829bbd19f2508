import type { OpenDatabase } from "@one-api/database/open-database";
import { forgetOldWindows } from "@one-api/ledger/forget-old-windows";
import type { JobRuns } from "../platform/work/job-runs.ts";
import { startPeriodicJob, type StoppableJob } from "./periodic-job.ts";

const EVERY_MS = 3_600_000;

/** Removes the accounts of budget windows that have ended. */
export function startBudgetsJob(database: OpenDatabase, runs: JobRuns): StoppableJob {
  return startPeriodicJob({ name: "budgets", everyMs: EVERY_MS, runs }, () => forgetOldWindows(database));
}
