import type { Token } from "@one-api/contract/token";
import { TOKEN_STATUS } from "@one-api/contract/token-constants";
import { furtherLimits } from "../../../lib/values/limit-values.ts";

/** A stored token for tests. */
export function sampleToken(changes: Partial<Token> = {}): Token {
  return {
    id: 7,
    user_id: 1,
    key: `abcd${"x".repeat(40)}wxyz`,
    old_key_ends_at: 0,
    status: TOKEN_STATUS.enabled,
    name: "Main",
    created_time: 1_700_000_000,
    accessed_time: 0,
    expired_time: -1,
    remain_quota: 500_000,
    unlimited_quota: false,
    used_quota: 1_250_000,
    budget: null,
    models: "",
    group: "",
    subnet: "",
    rpm_limit: 600,
    dpm_limit: 60,
    tpm_limit: 60,
    ...furtherLimits({}),
    email: "",
    custom_contact: "",
    moderations_enable: false,
    flagged_count: 0,
    keep_bodies: false,
    ...changes,
  };
}
