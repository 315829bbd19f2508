import { contextOfGateway } from "../core/call-context.ts";
import { type AutomaticContext, type CheckDependencies, runChecks } from "../features/channels/index.ts";
import type { JobRuns } from "../platform/work/job-runs.ts";
import { startPeriodicJob, type StoppableJob } from "./periodic-job.ts";

const EVERY_MS = 60_000;

/** Probes automatically disabled channels, and runs the scheduled checks of enabled ones. */
export function startChannelChecksJob(context: AutomaticContext, deps: CheckDependencies, runs: JobRuns): StoppableJob {
  return startPeriodicJob({ name: "channel checks", everyMs: EVERY_MS, runs }, () =>
    runChecks(contextOfGateway(context), deps),
  );
}
