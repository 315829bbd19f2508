import type { UsageOfDay } from "@one-api/contract/usage/dashboard";
import { NO_USAGE_FILTER } from "@one-api/log-store/questions";
import { keyText } from "@one-api/log-store/usage-key";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { askLog } from "../logs/index.ts";

const DAYS = 7;
const DAY_SECONDS = 86_400;
const MOST_MODELS = 1_000;

/** The caller's usage of the last days including today, by model. A day without usage has no rows. */
export async function listUsageOfDays(context: CallContext): Promise<UsageOfDay[]> {
  const today = Math.floor(nowSeconds(context.clock) / DAY_SECONDS) * DAY_SECONDS;
  const edges = Array.from({ length: DAYS + 1 }, (_, day) => today + (day + 1 - DAYS) * DAY_SECONDS);
  const { answer } = await askLog(context, {
    kind: "usage",
    filter: { ...NO_USAGE_FILTER, userId: requireActor(context).id },
    edges,
    by: "model",
    order: "spend",
    rows: MOST_MODELS,
    split: MOST_MODELS,
    times: "none",
  });
  return edges.slice(0, DAYS).flatMap((start, index) => {
    const day = new Date(start * 1_000).toISOString().slice(0, "YYYY-MM-DD".length);
    return answer.rows.flatMap(({ key, intervals = [] }) => {
      const usage = intervals[index];
      if (usage === undefined || usage.requests + usage.refused + Math.abs(usage.quota) === 0) return [];
      return {
        Day: day,
        ModelName: keyText(key),
        RequestCount: usage.requests,
        Quota: Math.max(0, usage.quota),
        PromptTokens: usage.promptTokens,
        CompletionTokens: usage.completionTokens,
      };
    });
  });
}
