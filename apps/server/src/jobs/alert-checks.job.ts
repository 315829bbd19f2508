import type { CallContext } from "../core/call-context.ts";
import type { OptionStore } from "../core/option-store.ts";
import { alertUsedBudgets } from "../features/budgets/index.ts";
import { queueDailyDigest } from "../features/dashboard/index.ts";
import { findWantedAlerts } from "../features/notifications/index.ts";
import type { JobRuns } from "../platform/work/job-runs.ts";
import { startPeriodicJob, type StoppableJob } from "./periodic-job.ts";

const EVERY_MS = 60_000;

interface AlertChecksDeps extends Pick<CallContext, "database" | "clock" | "logStore"> {
  readonly options: OptionStore;
}

/** Queues alerts about budgets and the daily digest, while a receiver chose them. Several servers queue each once. */
export function startAlertChecksJob(deps: AlertChecksDeps, runs: JobRuns): StoppableJob {
  return startPeriodicJob({ name: "alert checks", everyMs: EVERY_MS, runs }, async () => {
    const wanted = await findWantedAlerts(deps.database.db);
    if (wanted.has("budget-used")) await alertUsedBudgets(deps);
    if (wanted.has("daily-digest")) await queueDailyDigest(deps, deps.options);
  });
}
