import type { Usage as PresentedUsage } from "@one-api/contract/usage/dashboard";
import type { Usage } from "@one-api/log-store/questions";
import { presentFirstByte } from "../logs/index.ts";

export function presentUsage(usage: Usage, forAdmin: boolean): PresentedUsage {
  const { requests, errors, refused, times } = usage;
  const shared = {
    requests,
    errors,
    refused,
    quota: Math.max(0, usage.quota),
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    cached_tokens: usage.cachedTokens,
    ...presentFirstByte(times),
    total_p50_ms: times?.total.p50 ?? null,
    total_p95_ms: times?.total.p95 ?? null,
    total_p99_ms: times?.total.p99 ?? null,
    tokens_per_second: times?.tokensPerSecond ?? null,
  };
  if (!forAdmin) return shared;
  return {
    ...shared,
    cost: usage.cost,
    unknown_cost_requests: usage.unknownRequests,
    unknown_cost_quota: Math.max(0, usage.unknownQuota),
  };
}
