import { setTimeout as wait } from "node:timers/promises";
import { contextOfGateway } from "../core/call-context.ts";
import { type AutomaticContext, type CheckDependencies, runChecks } from "../features/channels/index.ts";
import type { JobRuns } from "../platform/work/job-runs.ts";
import { startPeriodicJob, type StoppableJob } from "./periodic-job.ts";

const EVERY_MS = 60_000;
/** A check waits for its provider for up to a minute. A stopping server does not: the check ends unrecorded. */
const STOP_MS = 5_000;

/** Probes automatically disabled channels, and runs the scheduled checks of enabled ones. */
export function startChannelChecksJob(context: AutomaticContext, deps: CheckDependencies, runs: JobRuns): StoppableJob {
  let isStopping = false;
  const job = startPeriodicJob({ name: "channel checks", everyMs: EVERY_MS, runs }, () =>
    runChecks(contextOfGateway(context), deps, () => isStopping),
  );
  return {
    async stop() {
      isStopping = true;
      await Promise.race([job.stop(), wait(STOP_MS, undefined, { ref: false })]);
    },
  };
}
