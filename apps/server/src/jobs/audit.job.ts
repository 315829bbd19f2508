import { type AuditRetention, checkAudit, forgetOldAudit, sealAudit } from "../features/audit/index.ts";
import type { JobRuns } from "../platform/work/job-runs.ts";
import { joinJobs, startPeriodicJob, type StoppableJob } from "./periodic-job.ts";

const DAY_SECONDS = 24 * 3_600;
const SEAL_EVERY_MS = 5 * 60_000;
const FORGET_EVERY_MS = 3_600_000;
const CHECK_EVERY_MS = 10 * 60_000;

/**
 * Seals the audit trail, checks it once a day, and removes entries after AuditRetentionDays.
 * Seals are logged too, as an attacker with access to the database cannot change the log.
 */
export function startAuditJob(retention: AuditRetention, runs: JobRuns): StoppableJob {
  return joinJobs([
    startPeriodicJob({ name: "audit seals", everyMs: SEAL_EVERY_MS, runs }, async () => {
      for (const { number, hash } of await sealAudit(retention))
        runs.log.info({ seal: number, hash }, "audit trail sealed");
    }),
    startPeriodicJob({ name: "audit retention", everyMs: FORGET_EVERY_MS, runs }, async () => {
      await forgetOldAudit(retention);
    }),
    startPeriodicJob({ name: "audit check", everyMs: CHECK_EVERY_MS, runs }, async () => {
      const problems = await checkAudit(retention, DAY_SECONDS);
      if (problems.length > 0) runs.log.error({ problems }, "the audit trail was changed");
    }),
  ]);
}
