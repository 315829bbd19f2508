import type { Logger } from "pino";
import type { Clock } from "../platform/clock.ts";
import type { Relay } from "../relay/create-relay.ts";
import { endRevoked } from "../relay/in-flight/end-revoked.ts";
import { joinJobs, startPeriodicJob, type StoppableJob } from "./periodic-job.ts";

const CHECKPOINT_MS = 5_000;
const LOOK_MS = 5_000;

/**
 * Recovers what dead servers left open, then checkpoints running streams, ends requests that are stalled or revoked, and sends
 * keep-alives. Rejects when the recovery fails: no server may start on balances that are not settled. Stop it after the last request.
 */
export async function startLedgerJob(relay: Relay, clock: Clock, log: Logger): Promise<StoppableJob> {
  const { server, deps } = relay;
  const recovered = await server.start();
  if (recovered > 0) log.warn({ recovered }, "settled requests that a stopped server left open");
  const checkpoints = startPeriodicJob({ name: "checkpoints", everyMs: CHECKPOINT_MS, log }, async () => {
    const noted = await deps.active.checkpoints();
    if (noted.length > 0) await deps.ledger.checkpoint(noted);
  });
  // A job of its own: a slow lookup of thousands of keys must not delay checkpoints.
  const revocations = startPeriodicJob({ name: "revoked requests", everyMs: LOOK_MS, log }, async () => {
    deps.active.cutStalled(clock.monotonicMs());
    await endRevoked(deps);
  });
  // A job of its own: revocations wait for the database.
  const keepAlives = startPeriodicJob({ name: "keep-alive of silent streams", everyMs: LOOK_MS, log }, async () => {
    deps.active.keepAlive(clock.monotonicMs());
  });
  return joinJobs([keepAlives, revocations, checkpoints]);
}
