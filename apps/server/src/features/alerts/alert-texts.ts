import { type AuditProblem, auditProblemSchema } from "@one-api/contract/audit";
import { type BudgetPeriod, BUDGET_PERIODS } from "@one-api/contract/budget";
import { RULE_DIRECTIONS, RULE_METRICS, RULE_WINDOWS } from "@one-api/contract/notifications/alert-rule-constants";
import { EXPIRY_DAYS, USE_MARKS } from "@one-api/contract/notifications/notification-constants";
import { CHANNEL_HINTS } from "@one-api/contract/channels/channel-constants";
import { type ChannelHint, reasonPartsSchema } from "@one-api/contract/channels/channel";
import { z } from "zod";
import { type MailLanguage, oneLine, utcTime } from "../mail/index.ts";
import { chineseCrossing, englishCrossing } from "./crossing-texts.ts";

const LONGEST_REASON = 200;

const channelFields = { id: z.int(), name: z.string() };

/**
 * Use of a user or, with `token`, of one of the user's tokens: `percent` is the highest mark reached, `since` the one that
 * was reported before. Amounts as displayed.
 */
const useFields = {
  user: z.string(),
  token: z.string().optional(),
  percent: z.literal(USE_MARKS),
  since: z.int().optional(),
  used: z.string(),
  limit: z.string(),
};

/**
 * The threshold of an alert rule; `receiver` is 0 for a mail to its owner. Values as displayed. `of` names the watched requests; empty for all.
 */
const crossingFields = {
  rule: z.int(),
  receiver: z.int(),
  state: z.enum(["crossed", "ended"]),
  metric: z.enum(RULE_METRICS),
  direction: z.enum(RULE_DIRECTIONS),
  value: z.string(),
  threshold: z.string(),
  minutes: z.literal(RULE_WINDOWS),
  of: z.partialRecord(z.enum(["user", "channel", "model", "token", "alias"]), z.string()),
};

const EXPIRING_KEYS = ["token", "management-key", "channel-key"] as const;

const expiryFields = { until: z.int(), days: z.literal(EXPIRY_DAYS) };

/** The first of the changed prices in words, and the number of all. Empty `by`: the gateway, by its policy. */
const pricesFields = z.object({ changes: z.array(z.string()), count: z.int() });

export const alertSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("channel-disabled"),
    ...channelFields,
    code: z.enum(CHANNEL_HINTS),
    /** In English: the provider's message, or the gateway's. */
    reason: z.string(),
    parts: z.optional(reasonPartsSchema),
  }),
  /** `end` is the key's last four characters, `enabled` the number of keys that are left. */
  z.object({
    kind: z.literal("channel-key-disabled"),
    ...channelFields,
    end: z.string(),
    enabled: z.int(),
    code: z.enum(CHANNEL_HINTS),
    reason: z.string(),
  }),
  z.object({ kind: z.literal("channel-spent"), ...channelFields, spentUsd: z.string(), limitUsd: z.number() }),
  /** `until` in Unix seconds. */
  z.object({ kind: z.literal("channel-asleep"), ...channelFields, until: z.int() }),
  /** `end` is given for one of several keys: its last four characters, or empty. */
  z.object({
    kind: z.literal("channel-balance-low"),
    ...channelFields,
    end: z.optional(z.string()),
    balance: z.number(),
    threshold: z.number(),
  }),
  /** Problems that the check before did not find, and the first of them. */
  z.object({ kind: z.literal("audit-broken"), found: z.int(), first: auditProblemSchema }),
  z.object({ kind: z.literal("channel-enabled"), ...channelFields, because: z.enum(["test-passed", "stock-low"]) }),
  /** With a group, the budget that its users share. */
  z.object({
    kind: z.literal("budget-used"),
    ...useFields,
    group: z.optional(z.string()),
    period: z.enum(BUDGET_PERIODS),
  }),
  /** Of the balance after the last top-up of the user, or of the token's quota as its owner last set it. */
  z.object({ kind: z.literal("balance-used"), ...useFields }),
  /** `until` in Unix seconds; `days` is the mark reached, 0 after the end. Names of the channels that use the host. */
  z.object({
    kind: z.literal("certificate-expiring"),
    host: z.string(),
    ...expiryFields,
    channels: z.array(z.string()),
  }),
  /** Requests of 24 hours; `priceOf` is the model that a channel calls instead, or the same. */
  z.object({ kind: z.literal("model-without-price"), model: z.string(), priceOf: z.string(), requests: z.int() }),
  /** A token of a user, a management key of an administrator, or a key of a channel, whose name is its last characters. */
  z.object({
    kind: z.literal("key-expiring"),
    of: z.enum(EXPIRING_KEYS),
    name: z.string(),
    owner: z.string(),
    ...expiryFields,
  }),
  /** `what` is a setting, or PriceList for another price list. */
  z.object({ kind: z.literal("prices-changed"), what: z.string(), by: z.string(), ...pricesFields.shape }).partial({
    changes: true,
    count: true,
  }),
  /** Prices of a fetched list that wait. */
  z.object({ kind: z.literal("prices-found"), ...pricesFields.shape }),
  z.object({ kind: z.literal("threshold-crossed"), ...crossingFields }),
  /** Of a day in UTC, as YYYY-MM-DD. Models by spend. Amounts as displayed. */
  z.object({
    kind: z.literal("daily-digest"),
    day: z.string(),
    requests: z.int(),
    errors: z.int(),
    spent: z.string(),
    models: z.array(z.object({ name: z.string(), spent: z.string() })),
  }),
]);

export type Alert = z.infer<typeof alertSchema>;

/** The alert in one or two sentences. The English text is also the entry of the system log. */
export function alertText(alert: Alert, language: MailLanguage): string {
  return language === "zh-CN" ? chineseText(alert) : englishText(alert);
}

function listOf(
  { changes = [], count = 0 }: { changes?: string[] | undefined; count?: number | undefined },
  more: string,
): string {
  const rest = count - changes.length;
  return [...changes, ...(rest > 0 ? [`${rest} ${more}`] : [])].join("; ");
}

function englishText(alert: Alert): string {
  const channel = "id" in alert ? `Channel ${alert.name} (${alert.id})` : "";
  switch (alert.kind) {
    case "audit-broken":
      return `The audit trail was modified in the database, outside the gateway. ${ENGLISH_PROBLEMS[alert.first.kind](alert.first.id)}${alert.found > 1 ? ` ${alert.found} problems in all.` : ""} Run npm run verify-audit for details, or see the audit page.`;
    case "channel-disabled":
      return `${channel} was disabled. ${alert.reason}`;
    case "channel-key-disabled":
      return `${englishChannelKey(alert)} was disabled; enabled keys left: ${alert.enabled}. ${alert.reason}`;
    case "channel-spent":
      return `${channel} was disabled. It has spent $${alert.spentUsd} of its limit of $${alert.limitUsd}. Raise the limit or enable the channel to use it again.`;
    case "channel-asleep":
      return `${channel} is paused until ${utcTime(alert.until)}: its provider rate-limits the whole account.`;
    case "channel-balance-low":
      return `${alert.end === undefined ? channel : englishChannelKey(alert)} has a balance of ${alert.balance}, below ${alert.threshold}. Top up at its provider.`;
    case "channel-enabled":
      return `${channel} was enabled: ${alert.because === "test-passed" ? "it passed its test" : "too few channels of its type were enabled"}.`;
    case "budget-used": {
      return `${englishOwner(alert)} has used ${alert.percent}% of a ${alert.period} budget: ${alert.used} of ${alert.limit}.`;
    }
    case "balance-used": {
      const whole = alert.token === undefined ? "the balance since the last top-up" : "the quota";
      return `${englishOwner(alert)} has used ${alert.percent}% of ${whole}: ${alert.used} of ${alert.limit}.`;
    }
    case "certificate-expiring": {
      const used = alert.channels.length === 0 ? "" : ` Channels: ${alert.channels.join(", ")}.`;
      return `The certificate of ${alert.host} ${englishEnd(alert)}.${used}`;
    }
    case "model-without-price": {
      const { model, priceOf, requests } = alert;
      return `Requests for the model ${model} were refused, since ${priceOf === model ? "it" : priceOf} has no price: ${requests} in 24 hours. Set one under Settings → Operation settings → Price list.`;
    }
    case "key-expiring":
      return `${englishKey(alert)} ${englishEnd(alert)}.`;
    case "prices-changed":
      return alert.by === ""
        ? `Prices changed by the price list: ${listOf(alert, "more")}.`
        : `Prices changed: ${alert.by} changed ${alert.what}.`;
    case "prices-found":
      return `New prices wait in the price list: ${listOf(alert, "more")}.`;
    case "threshold-crossed":
      return englishCrossing(alert);
    case "daily-digest": {
      const models = alert.models.map(({ name, spent }) => `${name} ${spent}`).join(", ");
      return `${alert.day} (UTC): ${alert.requests} requests, ${alert.errors} failed, ${alert.spent} spent.${models === "" ? "" : ` Most: ${models}.`}`;
    }
  }
}

function chineseText(alert: Alert): string {
  const channel = "id" in alert ? `渠道 ${alert.name}（${alert.id}）` : "";
  switch (alert.kind) {
    case "audit-broken":
      return `审计记录与写入时不一致：有人绕过网关修改了数据库。${CHINESE_PROBLEMS[alert.first.kind](alert.first.id)}${alert.found > 1 ? `共有 ${alert.found} 处问题。` : ""}请查看审计页面；npm run verify-audit 可给出详情。`;
    case "channel-disabled":
      return `${channel}已被禁用：${CHINESE_REASONS[alert.code]}。原文：“${alert.reason}”`;
    case "channel-key-disabled":
      return `${chineseChannelKey(alert)}已被禁用：${CHINESE_REASONS[alert.code]}。仍有 ${alert.enabled} 个启用的密钥。原文：“${alert.reason}”`;
    case "channel-spent":
      return `${channel}已被禁用：已消费 $${alert.spentUsd}，上限为 $${alert.limitUsd}。提高上限或重新启用渠道后可继续使用。`;
    case "channel-asleep":
      return `${channel}休眠至 ${utcTime(alert.until)}：其提供商限制了整个账户。`;
    case "channel-balance-low":
      return `${alert.end === undefined ? channel : chineseChannelKey(alert)}的余额为 ${alert.balance}，低于 ${alert.threshold}。请到其提供商处充值。`;
    case "channel-enabled":
      return `${channel}已启用：${alert.because === "test-passed" ? "测试通过" : "该类型启用的渠道不足"}。`;
    case "budget-used": {
      return `${chineseOwner(alert)}已使用${CHINESE_PERIODS[alert.period]}预算的 ${alert.percent}%：${alert.used}，预算为 ${alert.limit}。`;
    }
    case "balance-used": {
      const whole = alert.token === undefined ? "上次充值后余额" : "额度";
      return `${chineseOwner(alert)}已使用${whole}的 ${alert.percent}%：${alert.used}，共 ${alert.limit}。`;
    }
    case "certificate-expiring": {
      const used = alert.channels.length === 0 ? "" : `相关渠道：${alert.channels.join("、")}。`;
      return `${alert.host} 的证书${chineseEnd(alert)}。${used}`;
    }
    case "model-without-price": {
      const { model, priceOf, requests } = alert;
      const cause = priceOf === model ? "未设价格" : `${priceOf} 未设价格`;
      return `对模型 ${model} 的请求因${cause}被拒绝：24 小时内 ${requests} 次。请在“设置 → 运营设置 → 参考价格表”中设置价格。`;
    }
    case "key-expiring":
      return `${chineseKey(alert)}${chineseEnd(alert)}。`;
    case "prices-changed":
      return alert.by === ""
        ? `价格表已更新价格：${listOf(alert, "项其他")}。`
        : `价格已变更：${alert.by} 修改了 ${alert.what}。`;
    case "prices-found":
      return `价格表中有待确认的新价格：${listOf(alert, "项其他")}。`;
    case "threshold-crossed":
      return chineseCrossing(alert);
    case "daily-digest": {
      const models = alert.models.map(({ name, spent }) => `${name} ${spent}`).join("、");
      return `${alert.day}（UTC）：请求 ${alert.requests} 次，失败 ${alert.errors} 次，消费 ${alert.spent}。${models === "" ? "" : `最多：${models}。`}`;
    }
  }
}

type UseAlert = Pick<Extract<Alert, { kind: "budget-used" }>, "user" | "token" | "group">;
type KeyAlert = Extract<Alert, { kind: "key-expiring" }>;
type ExpiryAlert = Pick<KeyAlert, "until" | "days">;

type ChannelKeyAlert = Pick<Extract<Alert, { kind: "channel-balance-low" }>, "id" | "name" | "end">;

function englishChannelKey({ id, name, end = "" }: ChannelKeyAlert): string {
  return `A key${end === "" ? "" : ` (…${end})`} of channel ${name} (${id})`;
}

function chineseChannelKey({ id, name, end = "" }: ChannelKeyAlert): string {
  return `渠道 ${name}（${id}）的一个密钥${end === "" ? "" : `（…${end}）`}`;
}

function englishOwner({ user, token, group }: UseAlert): string {
  if (group !== undefined) return `Group ${group}`;
  return token === undefined ? `User ${user}` : `Token ${token} of ${user}`;
}

function chineseOwner({ user, token, group }: UseAlert): string {
  if (group !== undefined) return `分组 ${group} `;
  return token === undefined ? `用户 ${user}` : `${user} 的令牌 ${token}`;
}

function englishEnd({ until, days }: ExpiryAlert): string {
  return days === 0 ? `expired at ${utcTime(until)}` : `expires at ${utcTime(until)}, within ${days} days`;
}

function chineseEnd({ until, days }: ExpiryAlert): string {
  return days === 0 ? `已于 ${utcTime(until)} 过期` : `将在 ${days} 天内（${utcTime(until)}）过期`;
}

function englishKey({ of, name, owner }: KeyAlert): string {
  if (of === "token") return `Token ${name} of ${owner}`;
  return of === "management-key"
    ? `Management key ${name} of ${owner}`
    : `A key${name === "" ? "" : ` (…${name})`} of channel ${owner}`;
}

function chineseKey({ of, name, owner }: KeyAlert): string {
  if (of === "token") return `${owner} 的令牌 ${name} `;
  return of === "management-key"
    ? `${owner} 的管理密钥 ${name} `
    : `渠道 ${owner} 的密钥${name === "" ? "" : `（…${name}）`}`;
}

/** Translations of the cause. The message behind it is quoted in its own language. */
const CHINESE_REASONS: Readonly<Record<ChannelHint["code"], string>> = {
  "key-refused": "提供商拒绝了该渠道的密钥",
  "out-of-credit": "该渠道在提供商处的账户已无余额或额度",
  slow: "该渠道的测试用时超过了上限",
  "spending-limit": "该渠道已用完消费上限",
};

const CHINESE_PERIODS: Readonly<Record<BudgetPeriod, string>> = { daily: "每日", weekly: "每周", monthly: "每月" };

type ProblemTexts = Readonly<Record<AuditProblem["kind"], (id: number) => string>>;

const ENGLISH_PROBLEMS: ProblemTexts = {
  "entry-changed": (id) => `Entry ${id} was changed.`,
  "entry-removed": (id) => `Entry ${id} was removed.`,
  "entry-inserted": (id) => `Entry ${id} was inserted later.`,
  "seal-changed": (id) => `Seal ${id} was changed.`,
  "seal-removed": (id) => `Seal ${id} was removed.`,
};

const CHINESE_PROBLEMS: ProblemTexts = {
  "entry-changed": (id) => `记录 ${id} 被修改。`,
  "entry-removed": (id) => `记录 ${id} 被删除。`,
  "entry-inserted": (id) => `记录 ${id} 是事后插入的。`,
  "seal-changed": (id) => `封条 ${id} 被修改。`,
  "seal-removed": (id) => `封条 ${id} 被删除。`,
};

export function alertLine(alert: Alert, at: number, language: MailLanguage): string {
  return `${utcTime(at)} · ${oneLine(alertText(shortened(alert), language))}`;
}

function shortened(alert: Alert): Alert {
  if (!("id" in alert)) return alert;
  const name = cut(alert.name);
  return "reason" in alert ? { ...alert, name, reason: cut(alert.reason) } : { ...alert, name };
}

function cut(text: string): string {
  return text.length <= LONGEST_REASON ? text : `${text.slice(0, LONGEST_REASON - 1)}…`;
}
