import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import { LIMIT_FIELDS, type LimitField } from "@one-api/contract/limits/limit-constants";
import type { USER_ORDERS } from "@one-api/contract/accounts/user-constants";
import type { Tables } from "@one-api/database/tables";
import { ACCOUNT_KIND } from "@one-api/ledger/accounts";
import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from "kysely";
import { countRows, type OrderedPage } from "../../../core/lists/list-page.ts";
import { everyCondition, containsKeyword, isIdOr } from "../../../core/lists/match-keyword.ts";
import type { Queryable } from "../../../core/transaction.ts";
import { BUDGET_COLUMNS, selectBudgets } from "../../budgets/index.ts";
import { USER_COLUMNS, type UserRow } from "../user.repository.ts";

export interface ManagedUserRow extends UserRow {
  readonly created_at: number;
  readonly token_count: number;
  readonly factor_count: number;
  readonly access_token_used_at: number;
  readonly last_request_at: number | null;
  readonly last_visit_at: number | null;
}

/** Never matches deleted users. */
export interface UserFilter {
  /** An id, or a part of the username, display name or e-mail address; empty for any. */
  readonly keyword: string;
  readonly status: number;
  readonly role: number;
  readonly group: string;
}

type UserPage = OrderedPage<(typeof USER_ORDERS)[number]>;

export function listUserRows(queryable: Queryable, filter: UserFilter, page: UserPage): Promise<ManagedUserRow[]> {
  const order = orderOf(page);
  // Sorts ids only and then reads the page's rows, as their counts are expensive.
  const ids = queryable
    .selectFrom("users")
    .innerJoin("user_balances", "user_balances.user_id", "users.id")
    .select("users.id")
    .where(matches(filter))
    .orderBy(order)
    .limit(page.limit)
    .offset(page.offset);
  return selectUsers(queryable).where("users.id", "in", ids).orderBy(order).execute();
}

function orderOf({ order, direction: asked }: UserPage): RawBuilder<unknown> {
  const byText = order === "username" || order === "group";
  const direction = (asked ?? (byText ? "asc" : "desc")) === "asc" ? sql`asc` : sql`desc`;
  const id = sql.ref("id");
  if (order === "default") return sql`${id} ${direction}`;
  return sql`${sortKeyOf(order)} ${direction}, ${id} desc`;
}

function sortKeyOf(order: Exclude<UserPage["order"], "default">): RawBuilder<unknown> {
  if (order === "group") return shownGroup();
  if (order === "username") return sql`lower(${sql.ref(order)})`;
  return sql`${sql.ref(COLUMN_OF_BALANCE.get(order) ?? order)}`;
}

export function countUsers(queryable: Queryable, filter: UserFilter): Promise<number> {
  return countRows(queryable.selectFrom("users").where(matches(filter)));
}

export function findManagedUser(queryable: Queryable, id: number): Promise<ManagedUserRow | undefined> {
  return selectUsers(queryable).where("id", "=", id).where("status", "!=", USER_STATUS.deleted).executeTakeFirst();
}

export type LockedUser = Pick<UserRow, "id" | "username" | "display_name" | "group" | "role" | "status" | LimitField>;

/** Locks a user until the transaction ends. Undefined if the user is deleted. */
export function lockUser(
  transaction: Queryable,
  wanted: { readonly id: number } | { readonly username: string },
): Promise<LockedUser | undefined> {
  const lock = transaction.updateTable("users").set((row) => ({ role: row.ref("role") }));
  return ("id" in wanted ? lock.where("id", "=", wanted.id) : lock.where("username", "=", wanted.username))
    .where("status", "!=", USER_STATUS.deleted)
    .returning(["id", "username", "display_name", "group", "role", "status", ...LIMIT_FIELDS])
    .executeTakeFirst();
}

const COLUMN_OF_BALANCE: ReadonlyMap<string, string> = new Map([
  ["quota", "remaining"],
  ["used_quota", "used"],
  ["request_count", "requests"],
]);

function selectUsers(queryable: Queryable) {
  return queryable
    .selectFrom("users")
    .innerJoin("user_balances", "user_balances.user_id", "users.id")
    .leftJoin(selectBudgets(queryable), (join) =>
      join.onRef("budget_user_id", "=", "users.id").on("budget_token_id", "=", 0),
    )
    .select([...USER_COLUMNS, ...BUDGET_COLUMNS, "created_at"])
    .select(["remaining as quota", "used as used_quota", "requests as request_count"])
    .select((builder) =>
      builder
        .selectFrom("tokens")
        .select((count) => count.fn.countAll<number>().as("count"))
        .whereRef("tokens.user_id", "=", "users.id")
        .$asScalar()
        .as("token_count"),
    )
    .select((builder) => countFactors(builder).as("factor_count"))
    .select("access_token_used_at")
    .select((builder) =>
      builder
        .selectFrom("shares")
        .select((share) => share.fn.max("last_used_at").as("at"))
        .where("shares.kind", "=", ACCOUNT_KIND.user)
        .whereRef("shares.account", "=", "users.id")
        .$asScalar()
        .as("last_request_at"),
    )
    .select((builder) =>
      builder
        .selectFrom("sessions")
        .select((session) => session.fn.max("last_seen_at").as("at"))
        .whereRef("sessions.user_id", "=", "users.id")
        .$asScalar()
        .as("last_visit_at"),
    )
    .$narrowType<{ token_count: number; factor_count: number }>();
}

function countFactors(builder: ExpressionBuilder<Tables, "users" | "user_balances">) {
  const apps = builder
    .selectFrom("totp_factors")
    .select((count) => count.fn.countAll<number>().as("count"))
    .whereRef("totp_factors.user_id", "=", "users.id")
    .where("confirmed_at", ">", 0);
  const passkeys = builder
    .selectFrom("passkeys")
    .select((count) => count.fn.countAll<number>().as("count"))
    .whereRef("passkeys.user_id", "=", "users.id");
  return sql<number>`${apps} + ${passkeys}`;
}

const SEARCHED_COLUMNS = ["username", "display_name", "email"] as const;

function matches({ keyword, status, role, group }: UserFilter): Expression<SqlBool> {
  const conditions: Expression<SqlBool>[] = [sql<SqlBool>`${sql.ref("users.status")} <> ${USER_STATUS.deleted}`];
  if (keyword !== "") conditions.push(isIdOr("users.id", keyword, containsKeyword(SEARCHED_COLUMNS, keyword)));
  if (status !== 0) conditions.push(sql<SqlBool>`${sql.ref("users.status")} = ${status}`);
  if (role !== 0) conditions.push(sql<SqlBool>`${sql.ref("role")} = ${role}`);
  if (group !== "") conditions.push(hasGroup(group));
  return everyCondition(conditions);
}

function shownGroup() {
  return sql<string>`lower(coalesce(nullif(${sql.ref("group")}, ''), 'default'))`;
}

function hasGroup(group: string) {
  const list = sql<string>`(',' || replace(${shownGroup()}, ' ', '') || ',')`;
  return sql<SqlBool>`replace(${list}, lower(cast(${`,${group},`} as text)), '') <> ${list}`;
}
