import { NEVER_EXPIRES } from "@one-api/contract/token-constants";
import type { Caller } from "../../../core/actor.ts";
import { AppError } from "../../../core/app-error.ts";
import { fingerprint } from "../../../core/secrets.ts";
import type { Queryable } from "../../../core/transaction.ts";
import { type Clock, nowSeconds } from "../../../platform/clock.ts";
import { createAddressList } from "../../../platform/network/address-list.ts";
import { findManagementKeyByHash, touchManagementKey } from "./management-key.repository.ts";

const TOUCH_SECONDS = 60;

/**
 * The owner of a management key, with the key's scopes. Throws `management-key-invalid` for a key that is unknown, over
 * or revoked, or whose owner is no enabled administrator now, and `management-key-network`.
 */
export async function authenticateManagementKey(
  queryable: Queryable,
  clock: Clock,
  { key, address }: { readonly key: string; readonly address: string },
): Promise<Caller> {
  const hash = fingerprint(key);
  const row = await findManagementKeyByHash(queryable, hash);
  const now = nowSeconds(clock);
  const isCurrent = row?.key_hash === hash || (row?.old_key_ends_at ?? 0) > now;
  if (row === undefined || !isCurrent || (row.expires_at !== NEVER_EXPIRES && row.expires_at <= now)) throw invalid();
  if (row.networks.length > 0 && !createAddressList(row.networks).has(address)) throw outside(address);
  const { id, scopes, user_id, username, role, group, is_protected } = row;
  if (Math.abs(now - row.last_used_at) >= TOUCH_SECONDS || row.last_used_address !== address)
    await touchManagementKey(queryable, id, { at: now, address });
  const actor = { id: user_id, username, role, group, via: "management-key", key: { id, scopes } } as const;
  return { actor, isProtected: is_protected === 1 };
}

function invalid(): AppError {
  return new AppError(
    "management-key-invalid",
    "This management key is not valid: it is unknown, revoked or expired, or its owner is no administrator any more. Create another one in the console.",
  );
}

function outside(address: string): AppError {
  return new AppError(
    "management-key-network",
    `This management key may not be used from ${address}. Create one whose networks include it.`,
    { values: { address } },
  );
}
