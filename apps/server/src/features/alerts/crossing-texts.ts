import type { RuleDirection, RuleMetric, RuleWindow } from "@one-api/contract/notifications/alert-rule-constants";

/** A threshold that was crossed, or is no longer. Values as displayed. */
interface Crossing {
  readonly state: "crossed" | "ended";
  readonly metric: RuleMetric;
  readonly direction: RuleDirection;
  readonly value: string;
  readonly threshold: string;
  readonly minutes: RuleWindow;
  /** Names of the watched requests. */
  readonly of: Readonly<Partial<Record<"user" | "channel" | "model" | "token" | "alias", string>>>;
}

export function englishCrossing({ state, metric, direction, value, threshold, minutes, of }: Crossing): string {
  const watched = Object.entries(of).map(([noun, name]) => `${noun} ${name}`);
  const subject = `${ENGLISH_METRICS[metric]}${watched.length === 0 ? "" : ` of ${watched.join(", ")}`}`;
  const limit = `${state === "crossed" ? "" : "no longer "}${direction} ${threshold}`;
  return `${subject} is ${limit}: ${value} in ${ENGLISH_WINDOWS[minutes]}.`;
}

export function chineseCrossing({ state, metric, direction, value, threshold, minutes, of }: Crossing): string {
  const watched = Object.entries(of).map(([noun, name]) => `${CHINESE_NOUNS[noun] ?? ""} ${name}`);
  const subject = `${watched.length === 0 ? "" : `${watched.join("、")} 的`}${CHINESE_METRICS[metric]}`;
  const limit = `${state === "crossed" ? "已" : "不再"}${direction === "above" ? "高于" : "低于"} ${threshold}`;
  return `${subject}${limit}：${CHINESE_WINDOWS[minutes]}内为 ${value}。`;
}

const ENGLISH_METRICS: Readonly<Record<RuleMetric, string>> = {
  spend: "Spend",
  requests: "The number of requests",
  tokens: "The number of tokens",
  errors: "The error rate",
  first_byte: "The median time to the first token",
  first_byte_p95: "The p95 time to the first token",
  speed: "The number of tokens per second",
  cache: "The share of cached tokens",
  margin: "The margin",
};

const CHINESE_METRICS: Readonly<Record<RuleMetric, string>> = {
  spend: "消费",
  requests: "请求数",
  tokens: "token 数",
  errors: "错误率",
  first_byte: "首字延迟中位数",
  first_byte_p95: "首字延迟 p95",
  speed: "每秒 token 数",
  cache: "缓存命中率",
  margin: "毛利",
};

const ENGLISH_WINDOWS: Readonly<Record<RuleWindow, string>> = {
  30: "30 minutes",
  60: "1 hour",
  360: "6 hours",
  1440: "24 hours",
  10080: "7 days",
};

const CHINESE_WINDOWS: Readonly<Record<RuleWindow, string>> = {
  30: "30 分钟",
  60: "1 小时",
  360: "6 小时",
  1440: "24 小时",
  10080: "7 天",
};

const CHINESE_NOUNS: Readonly<Record<string, string>> = {
  user: "用户",
  channel: "渠道",
  model: "模型",
  token: "令牌",
  alias: "别名",
};
