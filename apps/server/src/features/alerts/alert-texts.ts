import { type AuditProblem, auditProblemSchema } from "@one-api/contract/audit";
import { type BudgetPeriod, BUDGET_PERIODS } from "@one-api/contract/budget";
import { CHANNEL_HINTS } from "@one-api/contract/channels/channel-constants";
import { type ChannelHint, reasonPartsSchema } from "@one-api/contract/channels/channel";
import { z } from "zod";
import { type MailLanguage, oneLine, utcTime } from "../mail/index.ts";

const LONGEST_REASON = 200;

const channelFields = { id: z.int(), name: z.string() };

/** Parts of a budget, in percent, whose use is reported. */
export const BUDGET_MARKS = [50, 80, 100] as const;

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
  z.object({ kind: z.literal("channel-spent"), ...channelFields, spentUsd: z.string(), limitUsd: z.number() }),
  /** `until` in Unix seconds. */
  z.object({ kind: z.literal("channel-asleep"), ...channelFields, until: z.int() }),
  z.object({ kind: z.literal("channel-balance-low"), ...channelFields, balance: z.number(), threshold: z.number() }),
  /** Problems that the check before did not find, and the first of them. */
  z.object({ kind: z.literal("audit-broken"), found: z.int(), first: auditProblemSchema }),
  z.object({ kind: z.literal("channel-enabled"), ...channelFields, because: z.enum(["test-passed", "stock-low"]) }),
  /** A budget of a user or, with `token`, of one of the user's tokens. Amounts as displayed. */
  z.object({
    kind: z.literal("budget-used"),
    user: z.string(),
    token: z.string().optional(),
    percent: z.literal(BUDGET_MARKS),
    used: z.string(),
    limit: z.string(),
    period: z.enum(BUDGET_PERIODS),
  }),
  /** `what` is a setting, or PriceList for another price list. */
  z.object({ kind: z.literal("prices-changed"), what: z.string(), by: z.string(), ...pricesFields.shape }).partial({
    changes: true,
    count: true,
  }),
  /** Prices of a fetched list that wait. */
  z.object({ kind: z.literal("prices-found"), ...pricesFields.shape }),
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
      return `The audit trail is not as it was written: somebody changed the database past the gateway. ${ENGLISH_PROBLEMS[alert.first.kind](alert.first.id)}${alert.found > 1 ? ` There is more, ${alert.found} in all.` : ""} See the audit page; npm run verify-audit tells more.`;
    case "channel-disabled":
      return `${channel} was disabled. ${alert.reason}`;
    case "channel-spent":
      return `${channel} was disabled. It has spent $${alert.spentUsd} of its limit of $${alert.limitUsd}. Raise the limit or enable the channel to use it again.`;
    case "channel-asleep":
      return `${channel} sleeps until ${utcTime(alert.until)}: its provider limits the whole account.`;
    case "channel-balance-low":
      return `${channel} has a balance of ${alert.balance}, below ${alert.threshold}. Top up at its provider.`;
    case "channel-enabled":
      return `${channel} was enabled: ${alert.because === "test-passed" ? "it passed its test" : "too few channels of its type were enabled"}.`;
    case "budget-used": {
      const owner = alert.token === undefined ? `User ${alert.user}` : `Token ${alert.token} of ${alert.user}`;
      return `${owner} has used ${alert.percent}% of a ${alert.period} budget: ${alert.used} of ${alert.limit}.`;
    }
    case "prices-changed":
      return alert.by === ""
        ? `Prices changed by the price list: ${listOf(alert, "more")}.`
        : `Prices changed: ${alert.by} changed ${alert.what}.`;
    case "prices-found":
      return `New prices wait in the price list: ${listOf(alert, "more")}.`;
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
    case "channel-spent":
      return `${channel}已被禁用：已消费 $${alert.spentUsd}，上限为 $${alert.limitUsd}。提高上限或重新启用渠道后可继续使用。`;
    case "channel-asleep":
      return `${channel}休眠至 ${utcTime(alert.until)}：其提供商限制了整个账户。`;
    case "channel-balance-low":
      return `${channel}的余额为 ${alert.balance}，低于 ${alert.threshold}。请到其提供商处充值。`;
    case "channel-enabled":
      return `${channel}已启用：${alert.because === "test-passed" ? "测试通过" : "该类型启用的渠道不足"}。`;
    case "budget-used": {
      const owner = alert.token === undefined ? `用户 ${alert.user}` : `${alert.user} 的令牌 ${alert.token}`;
      return `${owner}已使用${CHINESE_PERIODS[alert.period]}预算的 ${alert.percent}%：${alert.used}，预算为 ${alert.limit}。`;
    }
    case "prices-changed":
      return alert.by === ""
        ? `价格表已更新价格：${listOf(alert, "项其他")}。`
        : `价格已变更：${alert.by} 修改了 ${alert.what}。`;
    case "prices-found":
      return `价格表中有待确认的新价格：${listOf(alert, "项其他")}。`;
    case "daily-digest": {
      const models = alert.models.map(({ name, spent }) => `${name} ${spent}`).join("、");
      return `${alert.day}（UTC）：请求 ${alert.requests} 次，失败 ${alert.errors} 次，消费 ${alert.spent}。${models === "" ? "" : `最多：${models}。`}`;
    }
  }
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
  "entry-inserted": (id) => `Entry ${id} was put in later.`,
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
