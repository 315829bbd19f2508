import type { Call, Reply } from "./reply.ts";

/** GET /v1/dashboard/billing/subscription: the limit in dollars. */
export function billingSubscription({ settings }: Call): Reply {
  const limit = settings.balance.hardLimitUsd;
  const body = {
    object: "billing_subscription",
    has_payment_method: true,
    soft_limit_usd: limit,
    hard_limit_usd: limit,
    system_hard_limit_usd: limit,
    access_until: 0,
  };
  return { kind: "json", body, tokens: 0 };
}

/** GET /v1/dashboard/billing/usage: what was spent, in cents; the dates of the query change nothing. */
export function billingUsage({ settings }: Call): Reply {
  return { kind: "json", body: { object: "list", total_usage: settings.balance.totalUsageCents }, tokens: 0 };
}
