import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";
import { type RepeatedWork, repeatWork } from "../core/work/repeat-work.ts";
import type { OptionStore } from "../core/option-store.ts";
import { bundleAlerts, type QuotaShortages } from "../features/alerts/index.ts";
import { deliverOutbox, type DeliveryDeps } from "../features/mail/index.ts";
import { mailTokenAlerts } from "../features/tokens/index.ts";
import { findRootContact, remindLowQuota } from "../features/users/index.ts";

/** Between two looks for what is to be told, in ms. */
const LOOK_EVERY_MS = 10_000;
/** Between two looks for messages that are due, in ms. */
const DELIVER_EVERY_MS = 5_000;

/** How long a stop waits for the message that is just being sent, in ms. */
const STOP_TIMEOUT_MS = 5_000;

interface MailKeeperDeps extends Omit<DeliveryDeps, "findRootEmail" | "isStopping"> {
  readonly options: OptionStore;
  readonly shortages: QuotaShortages;
  readonly log: Logger;
}

/** Looks for what users, tokens' addresses and root are to be told, and sends it, while the server runs. Every server of a database does it: each message goes out once. */
export function keepMails({ log, shortages, ...deps }: MailKeeperDeps): Pick<RepeatedWork, "stop"> {
  let stopping = false;
  const delivery: DeliveryDeps = {
    ...deps,
    findRootEmail: async (queryable) => (await findRootContact(queryable)).email,
    isStopping: () => stopping,
  };
  const deliveries = repeatWork({ name: "messages", everyMs: DELIVER_EVERY_MS, log }, async () => {
    await deliverOutbox(delivery);
  });
  const findRootLanguage: Parameters<typeof bundleAlerts>[0]["findRootLanguage"] = async (queryable) =>
    (await findRootContact(queryable)).language;
  const looks = repeatWork({ name: "alerts", everyMs: LOOK_EVERY_MS, log }, async () => {
    const refused = shortages.take();
    // What fails for one of them must not keep the others from being told.
    const told = await Promise.allSettled([
      mailTokenAlerts(deps, refused),
      remindLowQuota(deps, refused),
      bundleAlerts({ ...deps, findRootLanguage }),
    ]);
    if (told.some((look) => look.status === "fulfilled" && look.value > 0)) void deliveries.soon();
    const failed = told.find((look) => look.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  });
  return {
    async stop() {
      stopping = true;
      await looks.stop();
      // A mail server that does not answer must not hold up the stop: its message is sent after the next start.
      await Promise.race([deliveries.stop(), wait(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}
