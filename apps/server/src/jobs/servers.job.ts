import type { CallContext } from "../core/call-context.ts";
import { type Outages, type ReportedParts, reportServer, reportStop } from "../features/system/index.ts";
import { awaitDatabase } from "../platform/await-database.ts";
import { nowSeconds } from "../platform/clock.ts";
import { describeFailure, type JobRuns } from "../platform/work/job-runs.ts";
import { startPeriodicJob, type StoppableJob } from "./periodic-job.ts";

const EVERY_MS = 10_000;
const TIMEOUT_MS = 5_000;

interface ServersJobDeps {
  readonly parts: ReportedParts;
  readonly outages: Outages;
  readonly runs: JobRuns;
}

/**
 * Stores what this server reports, now and every 10 s, and notes outages of the database. Stop it after the last
 * request.
 */
export function startServersJob(
  context: Pick<CallContext, "database" | "clock">,
  { parts, outages, runs }: ServersJobDeps,
): StoppableJob {
  const { database, clock } = context;
  const job = startPeriodicJob({ name: "server report", everyMs: EVERY_MS, runs }, async () => {
    const at = nowSeconds(clock);
    let reason = "";
    try {
      await awaitDatabase(reportServer(context, parts), TIMEOUT_MS);
    } catch (error) {
      reason = describeFailure(error);
      throw error;
    } finally {
      outages.note({ at, reason, failedWrites: database.failedWrites() });
    }
  });
  void job.runSoon();
  return {
    async stop() {
      await job.stop();
      try {
        await awaitDatabase(reportStop(context, parts), TIMEOUT_MS);
      } catch (error) {
        runs.log.warn({ err: error }, "the stop of this server could not be reported");
      }
    },
  };
}
