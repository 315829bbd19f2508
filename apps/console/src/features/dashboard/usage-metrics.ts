import type { Usage } from "@one-api/contract/usage/dashboard";
import { formatCompact, formatInteger, formatPercent, formatSeconds } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useQuotaDifference } from "../../lib/quota-difference.ts";
import { useFormatQuota } from "../../lib/use-format-quota.ts";
import type { DashboardMetric } from "./dashboard-search.ts";

const VALUES: Readonly<Record<DashboardMetric, (usage: Usage) => number | null>> = {
  spend: ({ quota }) => quota,
  requests: ({ requests }) => requests,
  tokens: ({ prompt_tokens, completion_tokens }) => prompt_tokens + completion_tokens,
  errors: ({ requests, errors }) => (requests === 0 ? null : errors / requests),
  first_byte: ({ first_byte_p50_ms }) => first_byte_p50_ms,
  cache: ({ prompt_tokens, cached_tokens }) => (prompt_tokens === 0 ? null : cached_tokens / prompt_tokens),
  margin: marginOf,
};

/** Margin of the charges with known cost; null without any, or if the viewer may not see it. */
function marginOf({ quota, cost, unknown_cost_quota: unknown = 0 }: Usage): number | null {
  if (cost === undefined) return null;
  const isNothingKnown = unknown > 0 && unknown === quota && cost === 0;
  return isNothingKnown ? null : quota - unknown - cost;
}

/** Value of a metric; null if unknown: no requests, no streams, or no costs for the viewer. */
export function metricOf(metric: DashboardMetric, usage: Usage): number | null {
  return VALUES[metric](usage);
}

/** Running sums; unknown values add nothing. */
export function runningSums(values: readonly (number | null)[]): number[] {
  let sum = 0;
  return values.map((value) => (sum += value ?? 0));
}

const LONG_COUNT = 1_000_000;

export function useMetricText(): (metric: DashboardMetric, value: number | null) => string {
  const { language } = useTranslation();
  const quota = useFormatQuota();
  return (metric, value) => {
    if (value === null) return "–";
    if (metric === "spend" || metric === "margin") return quota(value);
    if (metric === "first_byte") return formatSeconds(value);
    if (metric === "errors") return formatPercent(value, language, 2);
    if (metric === "cache") return formatPercent(value, language, 1);
    return value < LONG_COUNT ? formatInteger(value, language) : formatCompact(value, language);
  };
}

/** Returns the text of a total's metric. The margin is the difference of the spend and the cost as they read. */
export function useTotalText(): (metric: DashboardMetric, total: Usage) => string {
  const text = useMetricText();
  const difference = useQuotaDifference();
  return (metric, total) => {
    const value = metricOf(metric, total);
    const { quota, unknown_cost_quota: unknown = 0, cost = 0 } = total;
    return text(metric, metric === "margin" && value !== null ? difference(quota - unknown, cost) : value);
  };
}
