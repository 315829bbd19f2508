import type { OpenDatabase } from "@one-api/database/open-database";
import { type Clock, nowSeconds } from "../../platform/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { type MailLanguage, mailLanguage, type MailMessage, queueMessage, ROOT_RECIPIENT } from "../mail/index.ts";
import { type Alert, alertLine } from "./alert-texts.ts";
import { findOldestPendingTime, raiseAlertState, takePendingAlerts } from "./alert.repository.ts";

const GATHER_SECONDS = 5;
/** Shortest time between two messages, so that a provider that keeps failing does not fill the mailbox. */
const REST_SECONDS = 600;
const MOST_LINES = 50;

interface BundleDeps {
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly options: OptionStore;
  /** Empty if unknown. */
  readonly findRootLanguage: (queryable: Queryable) => Promise<string>;
}

/** Queues one message to root with all pending alerts. Returns the number of alerts in it. */
export async function bundleAlerts({ database, clock, options, findRootLanguage }: BundleDeps): Promise<number> {
  const now = nowSeconds(clock);
  const oldest = await findOldestPendingTime(database.db);
  if (oldest === undefined || now - oldest < GATHER_SECONDS) return 0;
  return inTransaction(database, async (transaction) => {
    // One of several servers sends the message.
    const claim = { kind: "root-message", id: 0, level: 0, at: now } as const;
    if (!(await raiseAlertState(transaction, claim, REST_SECONDS))) return 0;
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
  const isAboutAudit = (kind: Alert["kind"]) => kind === "audit-broken";
  const hasAudit = alerts.some(({ alert }) => isAboutAudit(alert.kind));
  const hasChannels = alerts.some(({ alert }) => !isAboutAudit(alert.kind));
  const words = (language === "zh-CN" ? chineseWords : englishWords)(system, alerts.length, { hasAudit, hasChannels });
  const links = [
    ...(hasAudit ? [{ link: `${server}/audit`, label: words.seeAudit }] : []),
    ...(hasChannels ? [{ link: `${server}/channel`, label: words.seeChannels }] : []),
  ];
  return {
    language,
    subject: words.subject,
    blocks: [{ list }, ...(more > 0 ? [{ text: words.more(more) }] : []), ...(server === "" ? [] : links)],
  };
}

interface Topics {
  readonly hasAudit: boolean;
  readonly hasChannels: boolean;
}

function englishWords(system: string, count: number, { hasAudit, hasChannels }: Topics) {
  const topics = [...(hasAudit ? ["the audit trail"] : []), ...(hasChannels ? ["channels"] : [])];
  return {
    subject: `${system}: ${count === 1 ? "an alert" : `${count} alerts`} about ${topics.join(" and ")}`,
    more: (rest: number) => `And ${rest} more: see the system log.`,
    seeAudit: "See the audit trail",
    seeChannels: "See the channels",
  };
}

function chineseWords(system: string, count: number, { hasAudit, hasChannels }: Topics) {
  const topics = [...(hasAudit ? ["审计记录"] : []), ...(hasChannels ? ["渠道"] : [])];
  return {
    subject: `${system}：${count} 条${topics.join("和")}提醒`,
    more: (rest: number) => `另有 ${rest} 条，请查看系统日志。`,
    seeAudit: "查看审计记录",
    seeChannels: "查看渠道",
  };
}
