import type { Logger } from "pino";
import type { Clock } from "../platform/clock.ts";
import type { Relay } from "../relay/create-relay.ts";
import { endRevoked } from "../relay/in-flight/index.ts";
import { joinJobs, startPeriodicJob, type StoppableJob } from "./periodic-job.ts";

const CHECKPOINT_MS = 5_000;
const LOOK_MS = 5_000;

/**
 * Recovers what dead servers left open, then checkpoints running streams, ends requests that are stalled or revoked, and sends
 * keep-alives. Rejects when the recovery fails: no server may start on balances that are not settled. Stop it after the last request.
 */
export async function startLedgerJob(relay: Relay, clock: Clock, log: Logger): Promise<StoppableJob> {
  const { server, services } = relay;
  const recovered = await server.start();
  if (recovered > 0) log.warn({ recovered }, "settled requests that a stopped server left open");
  const checkpoints = startPeriodicJob({ name: "checkpoints", everyMs: CHECKPOINT_MS, log }, async () => {
    const noted = await services.inFlight.checkpoints();
    if (noted.length > 0) await services.ledger.checkpoint(noted);
  });
  // A job of its own: a slow lookup of thousands of keys must not delay checkpoints.
  const revocations = startPeriodicJob({ name: "revoked requests", everyMs: LOOK_MS, log }, async () => {
    services.inFlight.endStalled(clock.monotonicMs());
    await endRevoked(services);
  });
  // A job of its own: revocations wait for the database.
  const keepAlives = startPeriodicJob({ name: "keep-alive of silent streams", everyMs: LOOK_MS, log }, async () => {
    services.inFlight.keepAlive(clock.monotonicMs());
  });
  return joinJobs([keepAlives, revocations, checkpoints]);
}
