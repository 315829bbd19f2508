import type { Usage } from "@one-api/contract/dashboard";
import { type Sums, typicalFirstByteMs } from "../usage/index.ts";

/** The sums as the API answers them; what requests cost the operator is for administrators. */
export function presentUsage(sums: Sums, forAdmin: boolean): Usage {
  const { requests, errors, refused, quota, prompt_tokens, completion_tokens } = sums;
  const shared = { requests, errors, refused, prompt_tokens, completion_tokens, quota: Math.max(0, quota) };
  const first_byte_ms = typicalFirstByteMs(sums);
  if (!forAdmin) return { ...shared, first_byte_ms };
  const { cost, unknown_requests, unknown_quota } = sums;
  return {
    ...shared,
    first_byte_ms,
    cost,
    unknown_cost_requests: unknown_requests,
    unknown_cost_quota: Math.max(0, unknown_quota),
  };
}
