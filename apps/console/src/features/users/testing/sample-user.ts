import { ROLE } from "@one-api/contract/accounts/roles";
import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import type { ManagedUser } from "@one-api/contract/accounts/user-management";
import { allLimits } from "../../../lib/values/limit-values.ts";

/** A stored user for tests. */
export function sampleUser(changes: Partial<ManagedUser> = {}): ManagedUser {
  return {
    id: 7,
    username: "grace",
    display_name: "Grace Hopper",
    email: "grace@example.com",
    group: "default",
    quota: 5_000_000,
    used_quota: 1_250_000,
    budget: null,
    ...allLimits({}),
    request_count: 42,
    role: ROLE.user,
    status: USER_STATUS.enabled,
    github_id: "",
    wechat_id: "",
    lark_id: "",
    oidc_id: "",
    outdated_bindings: [],
    created_at: 1_700_000_000,
    token_count: 2,
    has_second_factor: false,
    last_active_at: 1_700_000_000,
    ...changes,
  };
}
