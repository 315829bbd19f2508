import type { SessionUser, User } from "@one-api/contract/accounts/user";
import type { OptionStore } from "../../core/option-store.ts";
import { pickLimits } from "../limits/index.ts";
import { presentBudget } from "../budgets/index.ts";
import { presentBindings } from "./provider-addresses.ts";
import type { LoginRow, UserRow } from "./user.repository.ts";

/** `now` in Unix seconds. */
export function presentUser(
  row: UserRow,
  { options, now }: { readonly options: OptionStore; readonly now: number },
): User {
  return {
    id: row.id,
    username: row.username,
    display_name: row.display_name,
    email: row.email,
    group: row.group,
    // A balance may be negative for a moment after a correction.
    quota: Math.max(0, row.quota),
    used_quota: row.used_quota,
    budget: presentBudget(row, now),
    ...pickLimits(row),
    request_count: row.request_count,
    role: row.role,
    status: row.status,
    ...presentBindings(options, row),
  };
}

export function presentSessionUser(
  row: Pick<LoginRow, "id" | "username" | "display_name" | "role" | "status" | "password_is_default">,
): SessionUser {
  const { id, username, display_name, role, status } = row;
  const warning = row.password_is_default === 1 ? { default_password: true } : {};
  return { id, username, display_name, role, status, ...warning };
}
