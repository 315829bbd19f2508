import type { Usage } from "@one-api/contract/usage/dashboard";
import { presentFirstByte, type Sums } from "../usage/index.ts";

/** The sums as the API answers them; what requests cost the operator is for administrators. */
export function presentUsage(sums: Sums, forAdmin: boolean): Usage {
  const { requests, errors, refused, quota, prompt_tokens, completion_tokens } = sums;
  const shared = { requests, errors, refused, prompt_tokens, completion_tokens, quota: Math.max(0, quota) };
  const firstByte = presentFirstByte(sums);
  if (!forAdmin) return { ...shared, ...firstByte };
  const { cost, unknown_requests, unknown_quota } = sums;
  return {
    ...shared,
    ...firstByte,
    cost,
    unknown_cost_requests: unknown_requests,
    unknown_cost_quota: Math.max(0, unknown_quota),
  };
}
