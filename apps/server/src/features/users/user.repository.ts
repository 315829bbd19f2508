import { ROLE } from "@one-api/contract/accounts/roles";
import { USER_STATUS } from "@one-api/contract/accounts/user";
import type { Tables } from "@one-api/database/tables";
import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Queryable } from "../../core/transaction.ts";
import { BUDGET_COLUMNS, type BudgetColumns, selectBudgets } from "../budgets/index.ts";

/** What is read of a user: nothing that proves who it is. */
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

/** A user with its balance, without anything that proves who they are. */
export interface UserRow extends Pick<Selectable<Tables["users"]>, (typeof USER_COLUMNS)[number]>, BudgetColumns {
  /** What is left to spend. */
  readonly quota: number;
  readonly used_quota: number;
  readonly request_count: number;
}

/** What a login looks at. */
export type LoginRow = Pick<Selectable<Tables["users"]>, (typeof LOGIN_COLUMNS)[number]>;

/** The user with that id; undefined when there is none or it is deleted. */
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
 * The user with that username, else the one with that e-mail address where only one has it; deleted ones count as absent. One query
 * whatever there is, so that its time tells nothing.
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

/** 1 where the row of `users` is an administrator's who has a second factor: an authenticator app that is confirmed, or a passkey. */
export const PROTECTED_ADMIN = sql<0 | 1>`case when users.role >= ${sql.lit(ROLE.admin)} and (
  exists (select 1 from totp_factors where totp_factors.user_id = users.id and confirmed_at > 0)
  or exists (select 1 from passkeys where passkeys.user_id = users.id)) then 1 else 0 end`;

/** The enabled user whose system access token has that fingerprint. */
export function findUserByAccessToken(queryable: Queryable, accessTokenHash: string) {
  return queryable
    .selectFrom("users")
    .select(["id", "username", "role", "group", "access_token_used_at", PROTECTED_ADMIN.as("is_protected")])
    .where("access_token_hash", "=", accessTokenHash)
    .where("status", "=", USER_STATUS.enabled)
    .executeTakeFirst();
}

/** What is known of the user's system access token but the token itself. */
export function findAccessTokenState(queryable: Queryable, id: number) {
  return queryable
    .selectFrom("users")
    .select(["access_token_hash", "access_token_created_at", "access_token_used_at"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}

/** Usernames by id; those of deleted users say who they were no more. */
export async function nameUsers(queryable: Queryable, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await queryable
    .selectFrom("users")
    .select(["id", "username"])
    .where("id", "in", ids)
    .where("status", "!=", USER_STATUS.deleted)
    .execute();
  return new Map(rows.map(({ id, username }) => [id, username]));
}

/** The id of who has the username now; undefined for nobody. */
export async function findUserIdOf(queryable: Queryable, username: string): Promise<number | undefined> {
  const query = queryable.selectFrom("users").select("id").where("username", "=", username);
  return (await query.where("status", "!=", USER_STATUS.deleted).executeTakeFirst())?.id;
}

/** True when there is any user, deleted ones included. */
export async function hasUsers(queryable: Queryable): Promise<boolean> {
  return (await queryable.selectFrom("users").select("id").limit(1).executeTakeFirst()) !== undefined;
}

/** True while a super administrator can still log in with the password of the first start. */
export async function hasDefaultPassword(queryable: Queryable): Promise<boolean> {
  const row = await queryable
    .selectFrom("users")
    .select("id")
    .where("password_is_default", "=", 1)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** A user to add: it has no quota until the ledger grants it some. */
export type NewUser = Omit<Insertable<Tables["users"]>, "id">;

/** Adds the user, with a balance of nothing, and returns its id, which is the next one unless another is named. */
export async function insertUser(queryable: Queryable, user: Insertable<Tables["users"]>): Promise<number> {
  const { id } = await queryable.insertInto("users").values(user).returning("id").executeTakeFirstOrThrow();
  return id;
}

/** Whether somebody has the username, written in whatever case; SQLite knows only the cases of ASCII. */
export async function hasNameLike(queryable: Queryable, username: string): Promise<boolean> {
  const row = await queryable
    .selectFrom("users")
    .select("id")
    .where(sql`lower(username)`, "=", username.toLowerCase())
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** What of a user can change. */
export type UserChanges = Omit<Updateable<Tables["users"]>, "id" | "created_at">;

/** Changes the named columns. */
export async function changeUser(queryable: Queryable, id: number, changes: UserChanges): Promise<void> {
  await queryable.updateTable("users").set(changes).where("id", "=", id).execute();
}

/** Names of the models that any of the groups can call through an enabled channel, sorted. */
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

/** Puts another hash of the same password in the place of one; a password that was changed meanwhile stays. */
export async function replacePasswordHash(queryable: Queryable, id: number, from: string, to: string): Promise<void> {
  await queryable
    .updateTable("users")
    .set({ password_hash: to })
    .where("id", "=", id)
    .where("password_hash", "=", from)
    .execute();
}
