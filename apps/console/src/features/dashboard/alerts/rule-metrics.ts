import type { AlertRule } from "@one-api/contract/notifications/alert-rule";
import {
  RULE_LIMITS,
  type RuleDirection,
  type RuleMetric,
  type RuleWindow,
  SUM_METRICS,
} from "@one-api/contract/notifications/alert-rule-constants";
import type { Usage } from "@one-api/contract/usage/dashboard";
import { formatNumber, roundToDigits } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { Scope } from "../breakdown/dashboard-scope.ts";
import { type MetricAxis, useMetricAxis } from "../metric-axis.ts";
import { metricOf, useMetricText } from "../usage-metrics.ts";

/** Seconds of a slot: usage is counted by half hours. */
const SLOT_SECONDS = 1_800;

/** Windows that the preview shows: one to two days, ten days, a month, a quarter. */
const PREVIEWED: Readonly<Record<RuleWindow, number>> = { 30: 48, 60: 48, 360: 40, 1440: 30, 10080: 12 };

/** Metrics of which little is bad. */
const SCARCE: ReadonlySet<RuleMetric> = new Set(["cache", "margin", "speed"]);

/** A part of the largest or smallest value, which a threshold begins at. */
const ABOVE_MOST = 1.2;
const BELOW_LEAST = 0.5;
const DIGITS = 2;

export const usualDirection = (metric: RuleMetric): RuleDirection => (SCARCE.has(metric) ? "below" : "above");

/** Edges of the last windows, in Unix seconds; the last one ends with the present half hour. */
export function windowEdges(window: RuleWindow, nowMs: number): readonly number[] {
  const end = (Math.floor(nowMs / 1_000 / SLOT_SECONDS) + 1) * SLOT_SECONDS;
  const count = PREVIEWED[window];
  return Array.from({ length: count + 1 }, (_, index) => end - (count - index) * window * 60);
}

/** Value of a rule's metric; null with too few requests, as the server measures it. */
export function ruleValueOf(metric: RuleMetric, usage: Usage): number | null {
  if (!SUM_METRICS.has(metric) && usage.requests < RULE_LIMITS.leastRequests) return null;
  if (metric === "first_byte_p95") return usage.first_byte_p95_ms;
  if (metric === "speed") return usage.tokens_per_second;
  return metricOf(metric, usage);
}

function isBeyond(value: number | null, direction: RuleDirection, threshold: number): boolean {
  return value !== null && (direction === "above" ? value > threshold : value < threshold);
}

/** Number of times that the values cross the threshold. */
export function countCrossings(
  values: readonly (number | null)[],
  direction: RuleDirection,
  threshold: number,
): number {
  let wasBeyond = false;
  let crossings = 0;
  for (const value of values) {
    if (value === null) continue;
    const isNow = isBeyond(value, direction, threshold);
    if (isNow && !wasBeyond) crossings += 1;
    wasBeyond = isNow;
  }
  return crossings;
}

/** A threshold that the values have not crossed, in few digits on an axis with this scale; undefined without values. */
export function suggestThreshold(
  values: readonly (number | null)[],
  direction: RuleDirection,
  scale: number,
): number | undefined {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return undefined;
  const edge = direction === "above" ? Math.max(...known) * ABOVE_MOST : Math.min(...known) * BELOW_LEAST;
  return edge > 0 ? roundToDigits(edge * scale, DIGITS) / scale : undefined;
}

/** The axis of a rule's metric. Stays the same between renders. */
export function useRuleAxis(metric: RuleMetric): MetricAxis {
  return useMetricAxis(metric === "first_byte_p95" ? "first_byte" : metric);
}

/** Returns the formatter of a rule's values. */
export function useRuleValueText(): (metric: RuleMetric, value: number) => string {
  const { language } = useTranslation();
  const text = useMetricText();
  return (metric, value) => {
    if (metric === "speed") return formatNumber(value, language, 1);
    return text(metric === "first_byte_p95" ? "first_byte" : metric, value);
  };
}

/** True if the rule watches the requests that the page shows. `user` is 0 for all users. */
export function isOfScope(rule: AlertRule, { channel = 0, model = "", token = "", alias = "" }: Scope, user: number) {
  const isOfNames = rule.model_name === model && rule.token_name === token && rule.alias === alias;
  return rule.user === user && rule.channel === channel && isOfNames;
}

/** The watched requests as the page's scope has them. */
export function scopeOfRule({ user, channel, model_name, token_name, alias }: RuleScope): Scope {
  return {
    user: user || undefined,
    channel: channel || undefined,
    model: model_name || undefined,
    token: token_name || undefined,
    alias: alias || undefined,
  };
}

export type RuleScope = Pick<AlertRule, "user" | "channel" | "model_name" | "token_name" | "alias">;

/** The page's scope as the calls on rules have it. */
export function ruleScopeOf({ user = 0, channel = 0, model = "", token = "", alias = "" }: Scope): RuleScope {
  return { user, channel, model_name: model, token_name: token, alias };
}
