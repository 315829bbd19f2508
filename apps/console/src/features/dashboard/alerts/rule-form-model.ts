import type { AlertRule, CreateAlertRuleInput } from "@one-api/contract/notifications/alert-rule";
import {
  RULE_WINDOWS,
  type RuleDirection,
  type RuleMetric,
  type RuleWindow,
} from "@one-api/contract/notifications/alert-rule-constants";
import { type RuleScope, usualDirection } from "./rule-metrics.ts";

export interface RuleValues {
  readonly metric: RuleMetric;
  readonly direction: RuleDirection;
  readonly window: RuleWindow;
  /** In the metric's own unit. Undefined until it is entered: the preview suggests one. Empty if it was removed. */
  readonly threshold: number | "" | undefined;
  /** Undefined until it is chosen: the first of the targets. */
  readonly receiver: number | undefined;
}

const HOUR: RuleWindow = 60;
const DAY: RuleWindow = 1_440;

/** Money is measured over a day, everything else over an hour. */
export function newRuleValues(metric: RuleMetric): RuleValues {
  const window = metric === "spend" || metric === "margin" ? DAY : HOUR;
  return { metric, direction: usualDirection(metric), window, threshold: undefined, receiver: undefined };
}

export function storedRuleValues({
  metric,
  direction,
  window_minutes: window,
  threshold,
  receiver,
}: AlertRule): RuleValues {
  return { metric, direction, window, threshold, receiver };
}

export function rulePayload(values: RuleValues, scope: RuleScope): CreateAlertRuleInput {
  const { metric, direction, window, threshold, receiver } = values;
  const number = typeof threshold === "number" ? threshold : Number.NaN;
  return { metric, direction, threshold: number, window_minutes: window, receiver: receiver ?? 0, ...scope };
}

export function readWindow(text: string | null): RuleWindow | undefined {
  return RULE_WINDOWS.find((window) => String(window) === text);
}
