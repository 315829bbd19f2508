import type { Logger } from "pino";
import type { CallContext } from "../core/call-context.ts";
import { forgetFailureCounts } from "../features/sessions/index.ts";
import { nowSeconds } from "../platform/clock.ts";
import { startPeriodicJob, type StoppableJob } from "./periodic-job.ts";

const EVERY_MS = 3_600_000;

export function startLoginsJob(
  { database, clock }: Pick<CallContext, "database" | "clock">,
  log: Logger,
): StoppableJob {
  return startPeriodicJob({ name: "failed logins", everyMs: EVERY_MS, log }, () =>
    forgetFailureCounts(database, nowSeconds(clock)),
  );
}
