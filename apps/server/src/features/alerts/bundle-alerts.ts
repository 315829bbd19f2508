import type { OpenDatabase } from "@one-api/database/open-database";
import { type Clock, nowSeconds } from "../../core/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { type MailLanguage, mailLanguage, type MailMessage, queueMessage, ROOT_RECIPIENT } from "../mail/index.ts";
import { type Alert, alertLine } from "./alert-texts.ts";
import { findOldestPendingTime, raiseAlertState, takePendingAlerts } from "./alert.repository.ts";

/** What comes up within this time of the first one goes into the same message, in seconds. */
const GATHER_SECONDS = 5;
/** From one message to the next, in seconds, so that a provider that fails again and again fills no mailbox. */
const REST_SECONDS = 600;
/** Alerts that a message names one by one. */
const MOST_LINES = 50;

interface BundleDeps {
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly options: OptionStore;
  /** The language that root is known to read; empty for unknown. */
  readonly findRootLanguage: (queryable: Queryable) => Promise<string>;
}

/** Makes one message to root of all alerts that wait, a few seconds after the first and not more often than every ten minutes. Returns how many it tells. */
export async function bundleAlerts({ database, clock, options, findRootLanguage }: BundleDeps): Promise<number> {
  const now = nowSeconds(clock);
  const oldest = await findOldestPendingTime(database.db);
  if (oldest === undefined || now - oldest < GATHER_SECONDS) return 0;
  return inTransaction(database, async (transaction) => {
    // Of several processes one gets the turn.
    const turn = { kind: "root-message", id: 0, level: 0, at: now } as const;
    if (!(await raiseAlertState(transaction, turn, REST_SECONDS))) return 0;
    const alerts = await takePendingAlerts(transaction);
    if (alerts.length === 0) return 0;
    const language = mailLanguage(await findRootLanguage(transaction));
    const message = alertMessage(options, alerts, language);
    await queueMessage(transaction, { recipient: ROOT_RECIPIENT, message, at: now });
    return alerts.length;
  });
}

function alertMessage(
  options: OptionStore,
  alerts: readonly { readonly at: number; readonly alert: Alert }[],
  language: MailLanguage,
): MailMessage {
  const [system, server] = [options.text("SystemName"), options.text("ServerAddress")];
  const list = alerts.slice(0, MOST_LINES).map(({ at, alert }) => alertLine(alert, at, language));
  const more = alerts.length - list.length;
  const words =
    language === "zh-CN"
      ? {
          subject: `${system}：${alerts.length} 条渠道提醒`,
          more: `另有 ${more} 条，请查看系统日志。`,
          label: "查看渠道",
        }
      : {
          subject: `${system}: ${alerts.length === 1 ? "an alert" : `${alerts.length} alerts`} about channels`,
          more: `And ${more} more: see the system log.`,
          label: "See the channels",
        };
  return {
    language,
    subject: words.subject,
    blocks: [
      { list },
      ...(more > 0 ? [{ text: words.more }] : []),
      ...(server === "" ? [] : [{ link: `${server}/channel`, label: words.label }]),
    ],
  };
}
