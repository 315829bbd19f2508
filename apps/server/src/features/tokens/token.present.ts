import type { Token } from "@one-api/contract/token";
import type { ForeignToken } from "@one-api/contract/accounts/user-management";
import { placeOf, type Secrets } from "../../core/secrets.ts";
import { pickLimits } from "../limits/index.ts";
import { presentBudget } from "../budgets/index.ts";
import { statusAt } from "./token.policy.ts";
import type { TokenRow } from "./token.repository.ts";

/** The token for its owner, with the key in clear. `now` in Unix seconds. */
export function presentToken(row: TokenRow, secrets: Secrets, now: number): Token {
  return {
    ...presentForeignToken(row, now),
    user_id: row.user_id,
    key: secrets.open("token-key", row.key_cipher, placeOf("tokens", row.id, row.name)),
    old_key_ends_at: row.old_key_ends_at > now ? row.old_key_ends_at : 0,
    models: row.models,
    group: row.group,
    subnet: row.subnet,
    ...pickLimits(row),
    email: row.email,
    custom_contact: row.custom_contact,
    moderations_enable: row.moderations_enable === 1,
    flagged_count: row.flagged_count,
    keep_bodies: row.keep_bodies === 1,
  };
}

/** The token for administrators, without its key. `now` in Unix seconds. */
export function presentForeignToken(row: TokenRow, now: number): ForeignToken {
  return {
    id: row.id,
    name: row.name,
    status: statusAt(row, now),
    created_time: row.created_time,
    accessed_time: row.accessed_time,
    expired_time: row.expired_time,
    remain_quota: row.remain_quota,
    unlimited_quota: row.unlimited_quota === 1,
    used_quota: row.used_quota,
    budget: presentBudget(row, now),
  };
}
