import { CHANNEL_ALERTS } from "@one-api/contract/notifications/notification-constants";
import type { OptionStore } from "../../core/option-store.ts";
import type { MailLanguage, MailMessage } from "../mail/index.ts";
import { type Alert, alertLine } from "./alert-texts.ts";

const MOST_LINES = 50;

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
  const topics = TOPICS.filter(({ kinds }) => alerts.some(({ alert }) => kinds.includes(alert.kind)));
  const words = (language === "zh-CN" ? chineseWords : englishWords)(system, count, topics);
  const links = topics.map(({ path, ...topic }) => ({ link: `${server}${path}`, label: topic[language].see }));
  return {
    language,
    subject: words.subject,
    blocks: [{ list }, ...(more > 0 ? [{ text: words.more(more) }] : []), ...(server === "" ? [] : links)],
  };
}

interface Topic extends Readonly<Record<MailLanguage, { readonly name: string; readonly see: string }>> {
  readonly kinds: readonly Alert["kind"][];
  readonly path: string;
}

const TOPICS: readonly Topic[] = [
  {
    kinds: ["audit-broken"],
    path: "/audit",
    en: { name: "the audit trail", see: "See the audit trail" },
    "zh-CN": { name: "审计记录", see: "查看审计记录" },
  },
  {
    kinds: CHANNEL_ALERTS,
    path: "/channel",
    en: { name: "channels", see: "See the channels" },
    "zh-CN": { name: "渠道", see: "查看渠道" },
  },
  {
    kinds: ["budget-used", "balance-used"],
    path: "/user",
    en: { name: "budgets and balances", see: "See the users" },
    "zh-CN": { name: "预算与余额", see: "查看用户" },
  },
  {
    kinds: ["certificate-expiring", "key-expiring"],
    path: "/notifications",
    en: { name: "expiring certificates and keys", see: "See the notifications" },
    "zh-CN": { name: "即将到期的证书与密钥", see: "查看通知" },
  },
  {
    kinds: ["prices-changed", "prices-found"],
    path: "/setting?tab=operation&section=prices",
    en: { name: "prices", see: "See the prices" },
    "zh-CN": { name: "价格", see: "查看价格" },
  },
  {
    kinds: ["model-without-price"],
    path: "/setting?tab=operation&section=prices",
    en: { name: "models without a price", see: "Set a price" },
    "zh-CN": { name: "未设价格的模型", see: "设置价格" },
  },
  {
    kinds: ["threshold-crossed"],
    path: "/dashboard",
    en: { name: "usage", see: "See the dashboard" },
    "zh-CN": { name: "用量", see: "查看数据看板" },
  },
  {
    kinds: ["daily-digest"],
    path: "/dashboard",
    en: { name: "yesterday's usage", see: "See the dashboard" },
    "zh-CN": { name: "昨日用量", see: "查看数据看板" },
  },
];

function englishWords(system: string, count: number, topics: readonly Topic[]) {
  const names = new Intl.ListFormat("en-GB").format(topics.map(({ en }) => en.name));
  return {
    subject: `${system}: ${count === 1 ? "an alert" : `${count} alerts`} about ${names}`,
    more: (rest: number) => `And ${rest} more: see the system log.`,
  };
}

function chineseWords(system: string, count: number, topics: readonly Topic[]) {
  const names = new Intl.ListFormat("zh-CN").format(topics.map((topic) => topic["zh-CN"].name));
  return {
    subject: `${system}：${count} 条${names}提醒`,
    more: (rest: number) => `另有 ${rest} 条，请查看系统日志。`,
  };
}
