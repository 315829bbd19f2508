import type { CallContext } from "../core/call-context.ts";
import type { QuotaShortages } from "../features/alerts/index.ts";
import type { ChannelDependencies } from "../features/channels/index.ts";
import type { LogClearings } from "../features/logs/index.ts";
import type { Mailer, MessagePusher } from "../features/mail/index.ts";
import { postNotice } from "../features/notifications/index.ts";
import type { LoadedOptionStore } from "../features/options/index.ts";
import type { PriceListDependencies } from "../features/pricing/index.ts";
import type { JobRuns } from "../platform/work/job-runs.ts";
import { regionalAddressesOf } from "../provider-facts.ts";
import type { Relay } from "../relay/create-relay.ts";
import { startAlertChecksJob } from "./alert-checks.job.ts";
import { startAuditJob } from "./audit.job.ts";
import { startBatchesJob } from "./batches.job.ts";
import { startBudgetsJob } from "./budgets.job.ts";
import { startChannelChecksJob } from "./channel-checks.job.ts";
import { startChannelsJob } from "./channels.job.ts";
import { startExpiredRowsJob } from "./expired-rows.job.ts";
import { startLogRetentionJob } from "./log-retention.job.ts";
import { startLoginsJob } from "./logins.job.ts";
import { startMessagesJob } from "./messages.job.ts";
import { startOptionsJob } from "./options.job.ts";
import { startPriceListJob } from "./price-list.job.ts";
import { joinJobs, type StoppableJob } from "./periodic-job.ts";

interface JobDeps {
  readonly context: Pick<CallContext, "database" | "clock" | "secrets" | "changes" | "logStore">;
  readonly options: LoadedOptionStore;
  readonly shortages: QuotaShortages;
  readonly relay: Relay;
  readonly channels: ChannelDependencies;
  readonly messages: { readonly mailer: Mailer; readonly pusher: MessagePusher };
  readonly clearings: LogClearings;
  readonly runs: JobRuns;
  readonly pricing: PriceListDependencies;
}

/** Starts the periodic jobs that stop before the last request. `wire.ts` starts the two others, of the ledger and of servers. */
export function startJobs(parts: JobDeps): StoppableJob {
  const { context, options, runs, shortages, relay, channels, messages, clearings, pricing } = parts;
  const { database, clock, secrets, logStore } = context;
  return joinJobs([
    clearings,
    startOptionsJob(database, options, runs),
    startChannelsJob(context, { options, runs }),
    startChannelChecksJob(context, channels, runs),
    startMessagesJob({ database, clock, secrets, options, runs, shortages, post: postNotice, ...messages }),
    startAlertChecksJob(
      {
        ...context,
        options,
        loadChannel: relay.services.loadChannel,
        regionalAddressesOf,
        findRefused: relay.findRefused,
      },
      runs,
    ),
    startLogRetentionJob({ database, clock, logStore }, { options, ledger: relay.services.ledger.quota, runs }),
    startPriceListJob(context, pricing, runs),
    startAuditJob({ ...context, options }, runs),
    startLoginsJob({ database, clock }, runs),
    startExpiredRowsJob({ database, clock }, runs),
    startBudgetsJob(database, runs),
    startBatchesJob(relay.services, runs),
  ]);
}
