import type { OpenDatabase } from "@one-api/database/open-database";
import type { LoadedOptionStore } from "../features/options/index.ts";
import type { JobRuns } from "../platform/work/job-runs.ts";
import { joinJobs, startPeriodicJob, type StoppableJob } from "./periodic-job.ts";

const EVERY_MS = 1_000;

export function startOptionsJob(database: OpenDatabase, options: LoadedOptionStore, runs: JobRuns): StoppableJob {
  if (database.kind === "sqlite") return joinJobs([]);
  return startPeriodicJob({ name: "options", everyMs: EVERY_MS, runs }, () => options.followOthers());
}
