import { ROLE } from "@one-api/contract/accounts/roles";
import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import type { Tables } from "@one-api/database/tables";
import { type Selectable, sql, type Updateable } from "kysely";
import { countRows } from "../../core/lists/list-page.ts";
import type { Queryable } from "../../core/transaction.ts";
import { LOGIN_COLUMNS, type LoginRow } from "./user.repository.ts";

export const BOUND_ID_COLUMNS = ["github_id", "wechat_id", "lark_id", "oidc_id"] as const;

export type BoundIdColumn = (typeof BOUND_ID_COLUMNS)[number];

export function findUserByBoundId(
  queryable: Queryable,
  column: BoundIdColumn,
  boundId: string,
): Promise<LoginRow | undefined> {
  return queryable
    .selectFrom("users")
    .select([...LOGIN_COLUMNS])
    .where(column, "=", boundId)
    .where(column, "<>", "")
    .where("status", "!=", USER_STATUS.deleted)
    .executeTakeFirst();
}

export async function countBoundAt(queryable: Queryable, column: BoundIdColumn, address: string): Promise<number> {
  if (address === "") return 0;
  // Issuers are stored as they name themselves, some with a trailing slash.
  const prefixes = [`${address} `, `${address}/ `];
  const bound = queryable
    .selectFrom("users")
    .where("status", "!=", USER_STATUS.deleted)
    .where((where) =>
      where.or(prefixes.map((prefix) => where(sql`substr(${sql.ref(column)}, 1, ${prefix.length})`, "=", prefix))),
    );
  return countRows(bound);
}

export function findContact(queryable: Queryable, id: number) {
  return queryable
    .selectFrom("users")
    .select(["username", "email", "language"])
    .where("id", "=", id)
    .where("status", "!=", USER_STATUS.deleted)
    .executeTakeFirst();
}

/** Undefined if the account is deleted. */
export function findAccount(queryable: Queryable, id: number): Promise<LoginRow | undefined> {
  return queryable
    .selectFrom("users")
    .select([...LOGIN_COLUMNS])
    .where("id", "=", id)
    .where("status", "!=", USER_STATUS.deleted)
    .executeTakeFirst();
}

/** Accounts with the address (lower case). Older versions allowed several. */
export function findUsersByEmail(queryable: Queryable, email: string): Promise<LoginRow[]> {
  return queryable
    .selectFrom("users")
    .select([...LOGIN_COLUMNS])
    .where("email", "=", email)
    .where("email", "<>", "")
    .where("status", "!=", USER_STATUS.deleted)
    .limit(2)
    .execute();
}

export function findInviter(queryable: Queryable, inviteCode: string) {
  return queryable
    .selectFrom("users")
    .select(["id", "username"])
    .where("aff_code", "=", inviteCode)
    .where("status", "=", USER_STATUS.enabled)
    .executeTakeFirst();
}

export async function findInviteCode(queryable: Queryable, id: number): Promise<string | null> {
  const row = await queryable.selectFrom("users").select("aff_code").where("id", "=", id).executeTakeFirstOrThrow();
  return row.aff_code;
}

export async function setInviteCode(queryable: Queryable, id: number, inviteCode: string): Promise<void> {
  await queryable
    .updateTable("users")
    .set({ aff_code: inviteCode })
    .where("id", "=", id)
    .where("aff_code", "is", null)
    .execute();
}

export type BoundAccount = Pick<Selectable<Tables["users"]>, "email" | "password_hash" | BoundIdColumn>;

/** Locks the account until the transaction ends and returns its sign-in methods. Undefined if it is deleted. */
export function lockBoundAccount(transaction: Queryable, id: number): Promise<BoundAccount | undefined> {
  return transaction
    .updateTable("users")
    .set((row) => ({ role: row.ref("role") }))
    .where("id", "=", id)
    .where("status", "!=", USER_STATUS.deleted)
    .returning(["email", "password_hash", ...BOUND_ID_COLUMNS])
    .executeTakeFirst();
}

/** Locks root's account until the transaction ends and returns its sign-in methods. */
export function lockRoot(transaction: Queryable): Promise<(BoundAccount & { readonly id: number }) | undefined> {
  return transaction
    .updateTable("users")
    .set((row) => ({ role: row.ref("role") }))
    .where("role", "=", ROLE.root)
    .where("status", "!=", USER_STATUS.deleted)
    .returning(["id", "email", "password_hash", ...BOUND_ID_COLUMNS])
    .executeTakeFirst();
}

/** Changes columns that the owner controls. Returns false if the account is deleted. */
export async function changeAccount(
  queryable: Queryable,
  id: number,
  changes: Pick<
    Updateable<Tables["users"]>,
    "email" | "password_hash" | "password_is_default" | "access_token_hash" | BoundIdColumn
  >,
): Promise<boolean> {
  const result = await queryable
    .updateTable("users")
    .set(changes)
    .where("id", "=", id)
    .where("status", "!=", USER_STATUS.deleted)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
