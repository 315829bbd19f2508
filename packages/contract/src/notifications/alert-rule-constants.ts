/** Metrics of a chart that a rule can watch. `margin` is for administrators. */
export const RULE_METRICS = [
  "spend",
  "requests",
  "tokens",
  "errors",
  "first_byte",
  "first_byte_p95",
  "speed",
  "cache",
  "margin",
] as const;

export type RuleMetric = (typeof RULE_METRICS)[number];

export const RULE_DIRECTIONS = ["above", "below"] as const;

export type RuleDirection = (typeof RULE_DIRECTIONS)[number];

/** Minutes over which a rule measures. They are whole half hours, as usage is counted by these. */
export const RULE_WINDOWS = [30, 60, 360, 1_440, 10_080] as const;

export type RuleWindow = (typeof RULE_WINDOWS)[number];

/** Rules of a user; requests in a window below which shares and times say nothing. */
export const RULE_LIMITS = { rules: 20, leastRequests: 10 } as const;

/** Metrics that are a part of all requests or tokens, 0 to 1. */
export const SHARE_METRICS: ReadonlySet<RuleMetric> = new Set(["errors", "cache"]);

/** Metrics that add up in a window. Of the others a window says something only with enough requests. */
export const SUM_METRICS: ReadonlySet<RuleMetric> = new Set(["spend", "requests", "tokens", "margin"]);

/** True if values of the metric exist on both sides of the threshold. */
export function canCross(metric: RuleMetric, direction: RuleDirection, threshold: number): boolean {
  if (metric === "margin") return true;
  const isPart = !SHARE_METRICS.has(metric) || (direction === "above" ? threshold < 1 : threshold <= 1);
  return isPart && (direction === "above" ? threshold >= 0 : threshold > 0);
}
