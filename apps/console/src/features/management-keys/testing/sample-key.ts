import type { ManagementKey } from "@one-api/contract/accounts/management-key";

export function sampleKey(changes: Partial<ManagementKey> = {}): ManagementKey {
  return {
    id: 7,
    name: "deploy",
    owner: "root",
    is_own: true,
    hint: "x9Zq",
    scopes: ["channels:write", "options:read"],
    networks: [],
    created_at: 1_760_000_000,
    expires_at: -1,
    last_used_at: 0,
    last_used_address: "",
    old_key_ends_at: 0,
    ...changes,
  };
}
