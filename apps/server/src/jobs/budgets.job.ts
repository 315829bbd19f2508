import type { OpenDatabase } from "@one-api/database/open-database";
import { forgetOldWindows } from "@one-api/ledger/forget-old-windows";
import type { Logger } from "pino";
import { startPeriodicJob, type StoppableJob } from "./periodic-job.ts";

const EVERY_MS = 3_600_000;

/** Removes the accounts of budget windows that have ended. */
export function startBudgetsJob(database: OpenDatabase, log: Logger): StoppableJob {
  return startPeriodicJob({ name: "budgets", everyMs: EVERY_MS, log }, () => forgetOldWindows(database));
}
