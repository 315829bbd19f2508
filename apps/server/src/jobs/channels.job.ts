import type { OptionStore } from "../core/option-store.ts";
import { type AutomaticContext, disableSpentChannels, restockChannels } from "../features/channels/index.ts";
import type { JobRuns } from "../platform/work/job-runs.ts";
import { startPeriodicJob, type StoppableJob } from "./periodic-job.ts";

/** Other servers change channels without a notification here. */
const EVERY_MS = 60_000;

/**
 * Disables channels at their spending limit, and enables reserve channels as AutoAddChannelEnabled and
 * QuotaForAddChannel demand.
 * Runs after each change of channels or options, and every minute.
 */
export function startChannelsJob(
  context: AutomaticContext,
  { options, runs }: { readonly options: OptionStore; readonly runs: JobRuns },
): StoppableJob {
  const job = startPeriodicJob({ name: "channels", everyMs: EVERY_MS, runs }, async () => {
    await disableSpentChannels(context, options.number("QuotaPerUnit"));
    if (options.flag("AutoAddChannelEnabled")) await restockChannels(context, options.number("QuotaForAddChannel"));
  });
  const unsubscribe = [
    context.changes.subscribe("channels", () => void job.runSoon()),
    context.changes.subscribe("options", () => void job.runSoon()),
  ];
  void job.runSoon();
  return {
    async stop() {
      for (const end of unsubscribe) end();
      await job.stop();
    },
  };
}
