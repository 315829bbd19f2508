import { ROLE } from "@one-api/contract/accounts/roles";
import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import { LIMIT_FIELDS } from "@one-api/contract/limits/limit-constants";
import type { Tables } from "@one-api/database/tables";
import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import { groupsOfUser } from "../../core/actor.ts";
import type { Queryable } from "../../core/transaction.ts";
import { BUDGET_COLUMNS, type BudgetColumns, selectBudgets } from "../budgets/index.ts";

export const USER_COLUMNS = [
  "id",
  "username",
  "display_name",
  "email",
  "group",
  "role",
  "status",
  "github_id",
  "wechat_id",
  "lark_id",
  "oidc_id",
  ...LIMIT_FIELDS,
] as const;

export const LOGIN_COLUMNS = [
  "id",
  "username",
  "email",
  "display_name",
  "role",
  "status",
  "group",
  "password_hash",
  "password_is_default",
] as const;

export interface UserRow extends Pick<Selectable<Tables["users"]>, (typeof USER_COLUMNS)[number]>, BudgetColumns {
  readonly quota: number;
  readonly used_quota: number;
  readonly request_count: number;
}

export type LoginRow = Pick<Selectable<Tables["users"]>, (typeof LOGIN_COLUMNS)[number]>;

/** Undefined if the user is deleted. */
export function findUser(queryable: Queryable, id: number): Promise<UserRow | undefined> {
  return queryable
    .selectFrom("users")
    .innerJoin("user_balances", "user_balances.user_id", "users.id")
    .leftJoin(selectBudgets(queryable), (join) =>
      join.onRef("budget_user_id", "=", "users.id").on("budget_token_id", "=", 0),
    )
    .select([...USER_COLUMNS, ...BUDGET_COLUMNS])
    .select(["remaining as quota", "used as used_quota", "requests as request_count"])
    .where("id", "=", id)
    .where("status", "!=", USER_STATUS.deleted)
    .executeTakeFirst();
}

/**
 * The user with the username, else the only one with the e-mail address. Deleted users are ignored.
 * One query in all cases, so that its duration reveals nothing.
 */
export async function findUserForLogin(queryable: Queryable, name: string): Promise<LoginRow | undefined> {
  const rows = await queryable
    .selectFrom("users")
    .select([...LOGIN_COLUMNS])
    .where("status", "!=", USER_STATUS.deleted)
    .where((where) =>
      where.or([
        where("username", "=", name),
        where.and([where("email", "=", name.toLowerCase()), where("email", "!=", "")]),
      ]),
    )
    .limit(3)
    .execute();
  return rows.find(({ username }) => username === name) ?? (rows.length === 1 ? rows[0] : undefined);
}

/** 1 for an administrator with a confirmed authenticator app or a passkey. */
export const PROTECTED_ADMIN = sql<0 | 1>`case when users.role >= ${sql.lit(ROLE.admin)} and (
  exists (select 1 from totp_factors where totp_factors.user_id = users.id and confirmed_at > 0)
  or exists (select 1 from passkeys where passkeys.user_id = users.id)) then 1 else 0 end`;

export function findUserByAccessToken(queryable: Queryable, accessTokenHash: string) {
  return queryable
    .selectFrom("users")
    .select(["id", "username", "role", "group", "access_token_used_at", PROTECTED_ADMIN.as("is_protected")])
    .where("access_token_hash", "=", accessTokenHash)
    .where("status", "=", USER_STATUS.enabled)
    .executeTakeFirst();
}

export function findAccessTokenState(queryable: Queryable, id: number) {
  return queryable
    .selectFrom("users")
    .select(["access_token_hash", "access_token_created_at", "access_token_used_at"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}

/** Usernames by id. Deleted users are missing. */
export async function nameUsers(queryable: Queryable, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await queryable
    .selectFrom("users")
    .select(["id", "username"])
    .where("id", "in", ids)
    .where("status", "!=", USER_STATUS.deleted)
    .execute();
  return new Map(rows.map(({ id, username }) => [id, username]));
}

export async function findUserIdOf(queryable: Queryable, username: string): Promise<number | undefined> {
  const query = queryable.selectFrom("users").select("id").where("username", "=", username);
  return (await query.where("status", "!=", USER_STATUS.deleted).executeTakeFirst())?.id;
}

/** Includes deleted users. */
export async function hasUsers(queryable: Queryable): Promise<boolean> {
  return (await queryable.selectFrom("users").select("id").limit(1).executeTakeFirst()) !== undefined;
}

export async function hasDefaultPassword(queryable: Queryable): Promise<boolean> {
  const row = await queryable
    .selectFrom("users")
    .select("id")
    .where("password_is_default", "=", 1)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export type NewUser = Omit<Insertable<Tables["users"]>, "id">;

export async function insertUser(queryable: Queryable, user: Insertable<Tables["users"]>): Promise<number> {
  const { id } = await queryable.insertInto("users").values(user).returning("id").executeTakeFirstOrThrow();
  return id;
}

/** SQLite ignores case only for ASCII. */
export async function hasNameLike(queryable: Queryable, username: string): Promise<boolean> {
  const row = await queryable
    .selectFrom("users")
    .select("id")
    .where(sql`lower(username)`, "=", username.toLowerCase())
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export type UserChanges = Omit<Updateable<Tables["users"]>, "id" | "created_at">;

export async function changeUser(queryable: Queryable, id: number, changes: UserChanges): Promise<void> {
  await queryable.updateTable("users").set(changes).where("id", "=", id).execute();
}

/** Models that the groups can use through an enabled channel, sorted. */
export async function listModelsOfGroups(
  queryable: Queryable,
  groups: readonly string[],
  enabledStatus: number,
): Promise<string[]> {
  const rows = await queryable
    .selectFrom("channel_models")
    .innerJoin("channels", "channels.id", "channel_models.channel_id")
    .select("channel_models.model")
    .distinct()
    .where("channel_models.group", "in", groups)
    .where("channels.status", "=", enabledStatus)
    .execute();
  return rows.map(({ model }) => model).sort();
}

/** Ids of all users by the first of their groups. */
export async function listUsersByGroup(queryable: Queryable): Promise<Map<string, number[]>> {
  const rows = await queryable.selectFrom("users").select(["id", "group"]).orderBy("id").execute();
  const byGroup = new Map<string, number[]>();
  for (const { id, group } of rows) {
    const [first = ""] = groupsOfUser(group);
    const ids = byGroup.get(first) ?? [];
    byGroup.set(first, ids);
    ids.push(id);
  }
  return byGroup;
}

/** Replaces a password's hash by another one of the same password. Does nothing if the password was changed. */
export async function replacePasswordHash(queryable: Queryable, id: number, from: string, to: string): Promise<void> {
  await queryable
    .updateTable("users")
    .set({ password_hash: to })
    .where("id", "=", id)
    .where("password_hash", "=", from)
    .execute();
}
