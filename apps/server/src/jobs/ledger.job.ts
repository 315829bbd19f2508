import type { Clock } from "../platform/clock.ts";
import type { Relay } from "../relay/create-relay.ts";
import { endRevoked } from "../relay/in-flight/index.ts";
import type { JobRuns } from "../platform/work/job-runs.ts";
import { joinJobs, startPeriodicJob, type StoppableJob } from "./periodic-job.ts";

const CHECKPOINT_MS = 5_000;
const LOOK_MS = 5_000;

/**
 * Recovers requests of dead servers, and rejects if that fails. Then checkpoints streams, ends stalled and
 * revoked requests, and sends keep-alives.
 * Stop it after the last request.
 */
export async function startLedgerJob(relay: Relay, clock: Clock, runs: JobRuns): Promise<StoppableJob> {
  const { server, services } = relay;
  const recovered = await server.start();
  if (recovered > 0) runs.log.warn({ recovered }, "settled requests that a stopped server left open");
  const checkpoints = startPeriodicJob({ name: "checkpoints", everyMs: CHECKPOINT_MS, runs }, async () => {
    const delivered = await services.inFlight.checkpoints();
    if (delivered.length > 0) await services.ledger.checkpoint(delivered);
  });
  // A job of its own: a slow lookup of thousands of keys must not delay checkpoints.
  const revocations = startPeriodicJob({ name: "revoked requests", everyMs: LOOK_MS, runs }, async () => {
    services.inFlight.endStalled(clock.monotonicMs());
    await endRevoked(services);
  });
  // A job of its own: revocations wait for the database.
  const keepAlives = startPeriodicJob({ name: "keep-alive of silent streams", everyMs: LOOK_MS, runs }, async () => {
    services.inFlight.keepAlive(clock.monotonicMs());
  });
  return joinJobs([keepAlives, revocations, checkpoints]);
}
