import { z } from "zod";
import { type MailLanguage, oneLine } from "../mail/index.ts";

/** Longest part of a reason that a message repeats, in characters; the system log has all of it. */
const LONGEST_REASON = 200;

const channelFields = { id: z.int(), name: z.string() };

/** What root is told by itself. */
export const alertSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("channel-disabled"), ...channelFields, reason: z.string() }),
  z.object({ kind: z.literal("channel-spent"), ...channelFields, spentUsd: z.string(), limitUsd: z.number() }),
  /** The provider limits the whole account until then, in Unix seconds. */
  z.object({ kind: z.literal("channel-asleep"), ...channelFields, until: z.int() }),
  z.object({ kind: z.literal("channel-balance-low"), ...channelFields, balance: z.number(), threshold: z.number() }),
]);

export type Alert = z.infer<typeof alertSchema>;

/** The alert in a sentence or two; in English it is also what the system log says. */
export function alertText(alert: Alert, language: MailLanguage): string {
  return language === "zh-CN" ? chineseText(alert) : englishText(alert);
}

function englishText(alert: Alert): string {
  const channel = `Channel ${alert.name} (${alert.id})`;
  switch (alert.kind) {
    case "channel-disabled":
      return `${channel} was disabled. ${alert.reason}`;
    case "channel-spent":
      return `${channel} was disabled. It has spent $${alert.spentUsd} of its limit of $${alert.limitUsd}. Raise the limit or enable the channel to use it again.`;
    case "channel-asleep":
      return `${channel} sleeps until ${utcTime(alert.until)}: its provider limits the whole account.`;
    case "channel-balance-low":
      return `${channel} has a balance of ${alert.balance}, below ${alert.threshold}. Top up at its provider.`;
  }
}

function chineseText(alert: Alert): string {
  const channel = `渠道 ${alert.name}（${alert.id}）`;
  switch (alert.kind) {
    case "channel-disabled":
      return `${channel}已被禁用。${alert.reason}`;
    case "channel-spent":
      return `${channel}已被禁用：已消费 $${alert.spentUsd}，上限为 $${alert.limitUsd}。提高上限或重新启用渠道后可继续使用。`;
    case "channel-asleep":
      return `${channel}休眠至 ${utcTime(alert.until)}：其提供商限制了整个账户。`;
    case "channel-balance-low":
      return `${channel}的余额为 ${alert.balance}，低于 ${alert.threshold}。请到其提供商处充值。`;
  }
}

/** The alert as one line of a message. */
export function alertLine(alert: Alert, at: number, language: MailLanguage): string {
  const short = "reason" in alert ? { ...alert, reason: cut(alert.reason) } : alert;
  return `${utcTime(at)} · ${oneLine(alertText({ ...short, name: cut(alert.name) }, language))}`;
}

function cut(text: string): string {
  return text.length <= LONGEST_REASON ? text : `${text.slice(0, LONGEST_REASON - 1)}…`;
}

function utcTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
