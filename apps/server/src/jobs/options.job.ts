import type { OpenDatabase } from "@one-api/database/open-database";
import type { Logger } from "pino";
import type { LoadedOptionStore } from "../features/options/index.ts";
import { joinJobs, startPeriodicJob, type StoppableJob } from "./periodic-job.ts";

const EVERY_MS = 1_000;

export function startOptionsJob(database: OpenDatabase, options: LoadedOptionStore, log: Logger): StoppableJob {
  if (database.kind === "sqlite") return joinJobs([]);
  return startPeriodicJob({ name: "options", everyMs: EVERY_MS, log }, () => options.followOthers());
}
