import { contextOfGateway } from "../core/call-context.ts";
import { followPublishedPrices, type PriceListDependencies } from "../features/pricing/index.ts";
import type { JobRuns } from "../platform/work/job-runs.ts";
import { startPeriodicJob, type StoppableJob } from "./periodic-job.ts";

const EVERY_MS = 3_600_000;

/** Fetches the price list once a day by the option PriceListPolicy. After a failure it tries again in an hour. */
export function startPriceListJob(
  context: Parameters<typeof contextOfGateway>[0],
  deps: PriceListDependencies,
  runs: JobRuns,
): StoppableJob {
  return startPeriodicJob({ name: "price list", everyMs: EVERY_MS, runs }, () =>
    followPublishedPrices(contextOfGateway(context), deps),
  );
}
