import type { OptionStore } from "../../core/option-store.ts";
import type { MailLanguage, MailMessage } from "../mail/index.ts";
import { type Alert, alertLine } from "./alert-texts.ts";

const MOST_LINES = 50;

/** An alert with the time of its cause, in Unix seconds. */
export interface TimedAlert {
  readonly at: number;
  readonly alert: Alert;
}

interface AlertList {
  readonly alerts: readonly TimedAlert[];
  /** Of all alerts; those beyond the list are only counted. */
  readonly count: number;
}

/** Returns one message about the alerts, with at most `mostLines` of them. */
export function alertMessage(
  options: OptionStore,
  { alerts, count }: AlertList,
  language: MailLanguage,
  mostLines = MOST_LINES,
): MailMessage {
  const [system, server] = [options.text("SystemName"), options.text("ServerAddress")];
  const list = alerts.slice(0, mostLines).map(({ at, alert }) => alertLine(alert, at, language));
  const more = count - list.length;
  const isAboutAudit = (kind: Alert["kind"]) => kind === "audit-broken";
  const hasAudit = alerts.some(({ alert }) => isAboutAudit(alert.kind));
  const hasChannels = alerts.some(({ alert }) => !isAboutAudit(alert.kind));
  const words = (language === "zh-CN" ? chineseWords : englishWords)(system, count, { hasAudit, hasChannels });
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
