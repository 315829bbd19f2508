import { setTimeout as wait } from "node:timers/promises";
import type { QuotaShortages } from "../features/alerts/index.ts";
import { deliverOutbox, type DeliveryDeps } from "../features/mail/index.ts";
import { bundleAlerts, deliverNotices, type NoticeDeps } from "../features/notifications/index.ts";
import { mailTokenAlerts } from "../features/tokens/index.ts";
import { findRootContact, remindLowQuota } from "../features/users/index.ts";
import type { JobRuns } from "../platform/work/job-runs.ts";
import { startPeriodicJob, type StoppableJob } from "./periodic-job.ts";

const FIND_EVERY_MS = 10_000;
const DELIVER_EVERY_MS = 5_000;

/** Longest wait for the current message when the server stops. */
const STOP_TIMEOUT_MS = 5_000;

interface MessagesJobDeps extends Omit<DeliveryDeps, "findRootEmail" | "isStopping">, Omit<NoticeDeps, "isStopping"> {
  readonly shortages: QuotaShortages;
  readonly runs: JobRuns;
}

/**
 * Queues alerts for users, token addresses, receivers and root, and delivers them. Several servers share the work;
 * each message is sent once.
 */
export function startMessagesJob({ runs, shortages, ...deps }: MessagesJobDeps): StoppableJob {
  let isStopping = false;
  const delivery: DeliveryDeps = {
    ...deps,
    findRootEmail: async (queryable) => (await findRootContact(queryable)).email,
    isStopping: () => isStopping,
  };
  const deliveries = startPeriodicJob({ name: "messages", everyMs: DELIVER_EVERY_MS, runs }, async () => {
    await deliverOutbox(delivery);
  });
  const notices = startPeriodicJob({ name: "notifications", everyMs: DELIVER_EVERY_MS, runs }, () =>
    deliverNotices({ ...deps, isStopping: () => isStopping }),
  );
  const findRootLanguage: Parameters<typeof bundleAlerts>[0]["findRootLanguage"] = async (queryable) =>
    (await findRootContact(queryable)).language;
  const alerts = startPeriodicJob({ name: "alerts", everyMs: FIND_EVERY_MS, runs }, async () => {
    const refused = shortages.take();
    // A failure of one kind does not affect the others.
    const found = await Promise.allSettled([
      mailTokenAlerts(deps, refused),
      remindLowQuota(deps, refused),
      bundleAlerts({ ...deps, findRootLanguage }),
    ]);
    if (found.some((result) => result.status === "fulfilled" && result.value > 0)) {
      void deliveries.runSoon();
      void notices.runSoon();
    }
    const failed = found.find((result) => result.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  });
  return {
    async stop() {
      isStopping = true;
      await alerts.stop();
      // A server that does not answer must not delay the stop. Its message is sent after the next start.
      const stopped = Promise.all([deliveries.stop(), notices.stop()]);
      await Promise.race([stopped, wait(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}
