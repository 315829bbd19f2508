import type { RefusalValues } from "@one-api/contract/logs/refusal-values";

/** Advice for the relay's error codes; other messages contain it. */
const ADVICE = {
  insufficient_quota: "quota",
  budget_exceeded: "budget",
  token_disabled: "token",
  token_expired: "token",
  model_not_allowed: "model",
  model_not_found: "model",
  network_not_allowed: "network",
  rate_limit_exceeded: "wait",
  upstream_overloaded: "wait",
  model_unavailable: "wait",
  context_length_exceeded: "shorten",
  request_too_large: "shorten",
  body_too_large: "shorten",
  content_policy_violation: "reword",
  broken_stream: "broken",
} as const;

export type Advice = (typeof ADVICE)[keyof typeof ADVICE] | "groupBudget";

/** Returns what helps after a failed request, by the relay's error code or the HTTP status; undefined if neither says. */
export function adviceFor({
  code,
  status,
  values,
}: {
  readonly code: string | undefined;
  readonly status: number;
  readonly values: RefusalValues | undefined;
}): Advice | undefined {
  // A user can change neither the budget of the group nor what others spend of it.
  if (values?.whose === "group") return "groupBudget";
  const known = Object.entries(ADVICE).find(([name]) => name === code)?.[1];
  return known ?? (status === 429 ? "wait" : undefined);
}
