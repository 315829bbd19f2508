import type { ManagementKey } from "@one-api/contract/accounts/management-key";
import type { Actor } from "../../../core/actor.ts";
import type { ManagementKeyRow } from "./management-key.repository.ts";

/** `now` in Unix seconds. */
export function presentManagementKey(row: ManagementKeyRow, reader: Actor, now: number): ManagementKey {
  const { user_id: userId, scopes, networks, old_key_ends_at: oldKeyEndsAt, ...key } = row;
  return {
    ...key,
    is_own: userId === reader.id,
    scopes: [...scopes],
    networks: [...networks],
    old_key_ends_at: oldKeyEndsAt > now ? oldKeyEndsAt : 0,
  };
}
