import type { CallContext } from "../core/call-context.ts";
import { AppError } from "../core/app-error.ts";
import type { OptionStore } from "../core/option-store.ts";
import { checkAlertRules } from "../features/alert-rules/index.ts";
import { alertUsedBalances, alertUsedBudgets } from "../features/budgets/index.ts";
import type { ChannelForRelay } from "../features/channels/index.ts";
import { queueDailyDigest } from "../features/dashboard/index.ts";
import { alertExpiringCertificates, alertExpiringKeys } from "../features/expiry/index.ts";
import { findWantedAlerts, findWantedMarks } from "../features/notifications/index.ts";
import { alertRefusedModels, type RefusedModelsDeps } from "../features/pricing/index.ts";
import { seenCertificates } from "../platform/network/seen-certificates.ts";
import type { JobRuns } from "../platform/work/job-runs.ts";
import { currentProxy } from "../relay/upstream/index.ts";
import { startPeriodicJob, type StoppableJob } from "./periodic-job.ts";

const EVERY_MS = 60_000;
const KEY_RUNS = 10;

interface AlertChecksDeps
  extends Pick<CallContext, "database" | "clock" | "logStore">, Pick<RefusedModelsDeps, "findRefused"> {
  readonly options: OptionStore;
  readonly loadChannel: (channelId: number) => Promise<ChannelForRelay | undefined>;
  readonly regionalAddressesOf: (channel: ChannelForRelay) => readonly string[];
}

/**
 * Queues the alerts and the daily digest that a receiver chose, and the alerts of rules. Several servers queue each once.
 */
export function startAlertChecksJob(deps: AlertChecksDeps, runs: JobRuns): StoppableJob {
  const certificates = {
    ...deps,
    certificates: seenCertificates,
    commonProxy: () => currentProxy(deps.options),
    regionalAddresses: (channelId: number) => readRegionalAddresses(deps, channelId),
  };
  let run = 0;
  return startPeriodicJob({ name: "alert checks", everyMs: EVERY_MS, runs }, async () => {
    const { db } = deps.database;
    const wanted = await findWantedAlerts(db);
    if (wanted.has("budget-used")) await alertUsedBudgets(deps, await findWantedMarks(db, "budget-used"));
    if (wanted.has("balance-used")) await alertUsedBalances(deps, await findWantedMarks(db, "balance-used"));
    if (wanted.has("certificate-expiring")) await alertExpiringCertificates(certificates);
    if (wanted.has("key-expiring") && run % KEY_RUNS === 0) await alertExpiringKeys(deps);
    if (wanted.has("model-without-price")) await alertRefusedModels(deps, deps);
    if (wanted.has("daily-digest")) await queueDailyDigest(deps, deps.options);
    await checkAlertRules(deps);
    run += 1;
  });
}

/** Returns none for a channel whose key cannot be decrypted. */
async function readRegionalAddresses(
  { loadChannel, regionalAddressesOf }: AlertChecksDeps,
  channelId: number,
): Promise<readonly string[]> {
  try {
    const channel = await loadChannel(channelId);
    return channel === undefined ? [] : regionalAddressesOf(channel);
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}
