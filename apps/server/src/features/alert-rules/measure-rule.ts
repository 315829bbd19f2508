import { RULE_LIMITS, type RuleMetric, SUM_METRICS } from "@one-api/contract/notifications/alert-rule-constants";
import { SLOT_SECONDS, type Usage } from "@one-api/log-store/questions";
import type { CallContext } from "../../core/call-context.ts";
import { askLog } from "../logs/index.ts";
import type { StoredAlertRule } from "./alert-rule.repository.ts";

const TIME_METRICS: ReadonlySet<RuleMetric> = new Set(["first_byte", "first_byte_p95", "speed"]);

/**
 * Returns the value of the rule's metric in its window; undefined with too few requests, or while the log store is rebuilt. `now` in Unix seconds. Throws as `askLog`.
 */
export async function measureRule(
  context: Pick<CallContext, "logStore">,
  { metric, direction, windowMinutes, filter }: StoredAlertRule,
  now: number,
): Promise<number | undefined> {
  const slot = Math.floor(now / SLOT_SECONDS) * SLOT_SECONDS;
  // The present half hour is not over, so a sum may only be too small.
  const isOver = SUM_METRICS.has(metric) && direction === "below";
  const end = isOver ? slot : slot + SLOT_SECONDS;
  const { answer, isComplete } = await askLog(context, {
    kind: "usage",
    filter,
    edges: [end - windowMinutes * 60, end],
    by: "model",
    order: "spend",
    rows: 0,
    split: 0,
    times: TIME_METRICS.has(metric) ? "rows" : "none",
  });
  return isComplete ? valueOf(metric, answer.total) : undefined;
}

function valueOf(metric: RuleMetric, usage: Usage): number | undefined {
  const { requests, errors, quota, cost, unknownQuota, promptTokens, completionTokens, cachedTokens, times } = usage;
  if (!SUM_METRICS.has(metric) && requests < RULE_LIMITS.leastRequests) return undefined;
  switch (metric) {
    case "spend":
      return Math.max(0, quota);
    case "requests":
      return requests;
    case "tokens":
      return promptTokens + completionTokens;
    case "margin":
      return quota - unknownQuota - cost;
    case "errors":
      return errors / requests;
    case "cache":
      return promptTokens === 0 ? undefined : cachedTokens / promptTokens;
    case "first_byte":
      return times?.firstByte.p50 ?? undefined;
    case "first_byte_p95":
      return times?.firstByte.p95 ?? undefined;
    case "speed":
      return times?.tokensPerSecond ?? undefined;
  }
}
