import { KEY_SCOPES, type KeyScope } from "@one-api/contract/accounts/management-key-constants";
import { ROLE } from "@one-api/contract/accounts/roles";
import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import { joinList, splitList } from "@one-api/contract/texts";
import type { ManagementKeysTable } from "@one-api/database/account-tables";
import { type Insertable, type Selectable, sql } from "kysely";
import { countRows, type ListPage } from "../../../core/lists/list-page.ts";
import { laterNames } from "../../../core/lists/later-names.ts";
import type { Queryable } from "../../../core/transaction.ts";
import { PROTECTED_ADMIN } from "../user.repository.ts";

const COLUMNS = [
  "management_keys.id",
  "management_keys.user_id",
  "management_keys.name",
  "management_keys.hint",
  "management_keys.old_key_ends_at",
  "management_keys.scopes",
  "management_keys.networks",
  "management_keys.created_at",
  "management_keys.expires_at",
  "management_keys.last_used_at",
  "management_keys.last_used_address",
] as const;

interface StoredRow extends Omit<Selectable<ManagementKeysTable>, "key_hash" | "old_key_hash" | "revoked_at"> {
  readonly owner: string;
}

export interface ManagementKeyRow extends Omit<StoredRow, "scopes" | "networks"> {
  readonly scopes: readonly KeyScope[];
  readonly networks: readonly string[];
}

interface KeysOf {
  readonly userId: number | undefined;
}

export async function listManagementKeyRows(
  queryable: Queryable,
  keysOf: KeysOf,
  { limit, offset }: ListPage,
): Promise<ManagementKeyRow[]> {
  const rows = await keysInForce(queryable, keysOf)
    .select(COLUMNS)
    .select("users.username as owner")
    .orderBy("management_keys.id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(readRow);
}

export function countManagementKeys(queryable: Queryable, keysOf: KeysOf): Promise<number> {
  return countRows(keysInForce(queryable, keysOf));
}

export async function findManagementKeyRow(
  queryable: Queryable,
  keysOf: KeysOf,
  id: number,
): Promise<ManagementKeyRow | undefined> {
  const row = await keysInForce(queryable, keysOf)
    .select(COLUMNS)
    .select("users.username as owner")
    .where("management_keys.id", "=", id)
    .executeTakeFirst();
  return row && readRow(row);
}

function keysInForce(queryable: Queryable, { userId }: KeysOf) {
  const keys = queryable
    .selectFrom("management_keys")
    .innerJoin("users", "users.id", "management_keys.user_id")
    .where("users.status", "!=", USER_STATUS.deleted)
    .where("management_keys.revoked_at", "=", 0);
  return userId === undefined ? keys : keys.where("management_keys.user_id", "=", userId);
}

/** The key with the hash, now or before its rotation, if its owner is an enabled administrator. */
export async function findManagementKeyByHash(queryable: Queryable, hash: string) {
  const row = await queryable
    .selectFrom("management_keys")
    .innerJoin("users", "users.id", "management_keys.user_id")
    .select(["users.id as user_id", "users.username", "users.role", "users.group", PROTECTED_ADMIN.as("is_protected")])
    .select(["management_keys.id", "management_keys.scopes", "management_keys.networks", "management_keys.expires_at"])
    .select(["management_keys.key_hash", "management_keys.old_key_ends_at"])
    .select(["management_keys.last_used_at", "management_keys.last_used_address"])
    .where((where) =>
      where.or([where("management_keys.key_hash", "=", hash), where("management_keys.old_key_hash", "=", hash)]),
    )
    .where("management_keys.revoked_at", "=", 0)
    .where("users.status", "=", USER_STATUS.enabled)
    .where("users.role", ">=", ROLE.admin)
    .executeTakeFirst();
  return row && { ...row, ...readLists(row) };
}

type NewManagementKeyRow = Pick<
  Insertable<ManagementKeysTable>,
  "user_id" | "name" | "hint" | "created_at" | "expires_at"
> & { readonly key_hash: string; readonly scopes: readonly KeyScope[]; readonly networks: readonly string[] };

export async function insertManagementKey(queryable: Queryable, key: NewManagementKeyRow): Promise<number> {
  const { id } = await queryable
    .insertInto("management_keys")
    .values({ ...key, scopes: joinList(key.scopes), networks: joinList(key.networks) })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Replaces the secret; the present one works until `oldKeyEndsAt`. */
export async function replaceManagementKey(
  queryable: Queryable,
  id: number,
  { keyHash, hint, oldKeyEndsAt }: { readonly keyHash: string; readonly hint: string; readonly oldKeyEndsAt: number },
): Promise<void> {
  await queryable
    .updateTable("management_keys")
    .set({ old_key_hash: sql<string>`coalesce(key_hash, '')`, old_key_ends_at: oldKeyEndsAt, key_hash: keyHash, hint })
    .where("id", "=", id)
    .execute();
}

/** Scopes that only a later release knows stay. */
export async function changeManagementKey(
  queryable: Queryable,
  id: number,
  { name, scopes, networks, expires_at }: Pick<ManagementKeyRow, "name" | "scopes" | "networks" | "expires_at">,
): Promise<void> {
  const stored = queryable.selectFrom("management_keys").select("scopes").where("id", "=", id);
  const later = laterNames(splitList((await stored.executeTakeFirstOrThrow()).scopes), KEY_SCOPES);
  await queryable
    .updateTable("management_keys")
    .set({ name, scopes: joinList([...scopes, ...later]), networks: joinList(networks), expires_at })
    .where("id", "=", id)
    .execute();
}

export async function touchManagementKey(
  queryable: Queryable,
  id: number,
  { at, address }: { readonly at: number; readonly address: string },
): Promise<void> {
  await queryable
    .updateTable("management_keys")
    .set({ last_used_at: at, last_used_address: address })
    .where("id", "=", id)
    .execute();
}

const revoked = (at: number) => ({ key_hash: null, old_key_hash: "", revoked_at: at });

export async function revokeManagementKeyRow(queryable: Queryable, id: number, at: number): Promise<void> {
  await queryable.updateTable("management_keys").set(revoked(at)).where("id", "=", id).execute();
}

export async function revokeManagementKeysOf(queryable: Queryable, userId: number, at: number): Promise<void> {
  await queryable
    .updateTable("management_keys")
    .set(revoked(at))
    .where("user_id", "=", userId)
    .where("revoked_at", "=", 0)
    .execute();
}

/** Names by id, also of revoked keys. */
function readRow(row: StoredRow): ManagementKeyRow {
  return { ...row, ...readLists(row) };
}

/** A scope that this version does not know gives no right. */
function readLists({ scopes, networks }: { readonly scopes: string; readonly networks: string }) {
  const named = new Set(splitList(scopes));
  return { scopes: KEY_SCOPES.filter((scope) => named.has(scope)), networks: splitList(networks) };
}
