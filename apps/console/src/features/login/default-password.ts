import { DEFAULT_ROOT_PASSWORD } from "@one-api/contract/constants";
import { isRoot } from "@one-api/contract/accounts/roles";
import type { SessionUser } from "@one-api/contract/accounts/user";
import { readStored, writeStored } from "../../lib/state/local-storage.ts";
import { STORAGE_KEY } from "../../lib/state/storage-keys.ts";

/** True when root has the default password: the server reports it for a first start, the typed password shows it otherwise. */
export function usesDefaultPassword(user: SessionUser, password: string): boolean {
  return user.default_password ?? (isRoot(user.role) && user.username === "root" && password === DEFAULT_ROOT_PASSWORD);
}

/** Remembers whether the default password stands, for the first steps on the home page. */
export function rememberDefaultPassword(stands: boolean): void {
  writeStored(STORAGE_KEY.defaultPassword, stands ? "true" : undefined);
}

export function defaultPasswordStands(): boolean {
  return readStored(STORAGE_KEY.defaultPassword) === "true";
}
