import type { QuotaLedger } from "@one-api/ledger/quota";
import { forgetChanges, forgetOldestUsage } from "@one-api/log-store/record-removal";
import type { CallContext } from "../core/call-context.ts";
import type { OptionStore } from "../core/option-store.ts";
import { inTransaction } from "../core/transaction.ts";
import { removeBodiesBefore, removeOldLogs, trimBodies } from "../features/logs/index.ts";
import { nowSeconds } from "../platform/clock.ts";
import type { JobRuns } from "../platform/work/job-runs.ts";
import { type PeriodicJob, startPeriodicJob } from "./periodic-job.ts";

const EVERY_MS = 3_600_000;
const DAY_SECONDS = 24 * 3_600;
const MEGABYTE = 1024 * 1024;

/** A log store that has not read a change for this time is rebuilt. */
const CHANGES_DAYS = 7;

interface LogRetention {
  readonly options: OptionStore;
  readonly ledger: QuotaLedger;
  readonly runs: JobRuns;
}

/**
 * Removes log entries after LogRetentionDays (0: never), and the usage that they stood for after UsageRetentionDays. Removes stored bodies after LogBodiesDays, and the
 * oldest beyond LogBodiesMegabytes.
 */
export function startLogRetentionJob(
  context: Pick<CallContext, "database" | "clock" | "logStore">,
  { options, ledger, runs }: LogRetention,
): PeriodicJob {
  let isStopping = false;
  const job = startPeriodicJob({ name: "log retention", everyMs: EVERY_MS, runs }, async () => {
    const now = nowSeconds(context.clock);
    const { db } = context.database;
    await removeBodiesBefore(db, now - options.number("LogBodiesDays") * DAY_SECONDS);
    await trimBodies(db, options.number("LogBodiesMegabytes") * MEGABYTE);
    await forgetChanges(db, now - CHANGES_DAYS * DAY_SECONDS);
    const days = options.number("LogRetentionDays");
    if (days !== 0) {
      const target = now - days * DAY_SECONDS;
      await removeOldLogs(context, { ledger, target, isStopping: () => isStopping, onStep: () => undefined });
    }
    const usageDays = options.number("UsageRetentionDays");
    if (usageDays === 0) return;
    const firstDay = Math.floor(now / DAY_SECONDS) - usageDays;
    while (
      !isStopping &&
      (await inTransaction(context.database, (transaction) => forgetOldestUsage(transaction, firstDay, now)))
    );
  });
  return {
    runSoon: () => job.runSoon(),
    stop() {
      isStopping = true;
      return job.stop();
    },
  };
}
