import type { Direction } from "@one-api/contract/fields";
import { USER_STATUS } from "@one-api/contract/user";
import type { USER_ORDERS } from "@one-api/contract/user-management";
import type { Tables } from "@one-api/database/tables";
import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Queryable } from "../../../core/transaction.ts";
import { BUDGET_COLUMNS, selectBudgets } from "../../../ledger/budgets/present-budget.ts";
import { USER_COLUMNS, type UserRow } from "../user.repository.ts";

/** A user as administrators see it. */
export interface ManagedUserRow extends UserRow {
  readonly created_at: number;
  readonly token_count: number;
  /** Passkeys, and an authenticator app that counts. */
  readonly factor_count: number;
}

/** Which users are meant; deleted ones never are. */
export interface UserFilter {
  /** An id, or a part of the username, the display name or the e-mail address; empty for any. */
  readonly keyword: string;
  /** 0 for any. */
  readonly status: number;
  /** 0 for any. */
  readonly role: number;
  /** Empty for any. */
  readonly group: string;
}

/** Which stretch of a list, in which order. */
export interface UserStretch {
  /** `default` is the newest first. */
  readonly order: "default" | (typeof USER_ORDERS)[number];
  readonly direction: Direction;
  readonly limit: number;
  readonly offset: number;
}

/** One stretch of the users that the filter leaves; equal ones stand newest first. */
export function listUserRows(
  queryable: Queryable,
  filter: UserFilter,
  stretch: UserStretch,
): Promise<ManagedUserRow[]> {
  const order = orderOf(stretch);
  // Sorted by what decides alone, and only those of the page are read: what is counted for a row is long.
  const page = queryable
    .selectFrom("users")
    .innerJoin("user_balances", "user_balances.user_id", "users.id")
    .select("users.id")
    .where(matches(filter))
    .orderBy(order)
    .limit(stretch.limit)
    .offset(stretch.offset);
  return selectUsers(queryable).where("users.id", "in", page).orderBy(order).execute();
}

function orderOf({ order, direction: asked }: UserStretch): RawBuilder<unknown> {
  const byText = order === "username" || order === "group";
  const direction = (asked ?? (byText ? "asc" : "desc")) === "asc" ? sql`asc` : sql`desc`;
  const id = sql.ref("id");
  if (order === "default") return sql`${id} ${direction}`;
  return sql`${sortKeyOf(order)} ${direction}, ${id} desc`;
}

function sortKeyOf(order: Exclude<UserStretch["order"], "default">): RawBuilder<unknown> {
  if (order === "group") return shownGroup();
  if (order === "username") return sql`lower(${sql.ref(order)})`;
  return sql`${sql.ref(COLUMN_OF_BALANCE.get(order) ?? order)}`;
}

/** How many users the filter leaves. */
export async function countUsers(queryable: Queryable, filter: UserFilter): Promise<number> {
  const row = await queryable
    .selectFrom("users")
    .select((select) => select.fn.countAll<number>().as("total"))
    .where(matches(filter))
    .executeTakeFirstOrThrow();
  return row.total;
}

/** The user with that id; undefined when there is none or it is deleted. */
export function findManagedUser(queryable: Queryable, id: number): Promise<ManagedUserRow | undefined> {
  return selectUsers(queryable).where("id", "=", id).where("status", "!=", USER_STATUS.deleted).executeTakeFirst();
}

/** A user whose role and state stay as they are until the transaction ends, so that a decision on them stays true. */
export type HeldUser = Pick<UserRow, "id" | "username" | "display_name" | "group" | "role" | "status">;

/** Holds the user with that id or username until the transaction ends; undefined when there is none or it is deleted. */
export function holdUser(
  transaction: Queryable,
  wanted: { readonly id: number } | { readonly username: string },
): Promise<HeldUser | undefined> {
  const hold = transaction.updateTable("users").set((row) => ({ role: row.ref("role") }));
  return ("id" in wanted ? hold.where("id", "=", wanted.id) : hold.where("username", "=", wanted.username))
    .where("status", "!=", USER_STATUS.deleted)
    .returning(["id", "username", "display_name", "group", "role", "status"])
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

function matches({ keyword, status, role, group }: UserFilter): Expression<SqlBool> {
  const conditions = [sql<SqlBool>`${sql.ref("users.status")} <> ${USER_STATUS.deleted}`];
  if (keyword !== "") conditions.push(isOrHolds(keyword));
  if (status !== 0) conditions.push(sql<SqlBool>`${sql.ref("users.status")} = ${status}`);
  if (role !== 0) conditions.push(sql<SqlBool>`${sql.ref("role")} = ${role}`);
  if (group !== "") conditions.push(hasGroup(group));
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** `replace` finds a text in another on both databases, and wildcards in the keyword are plain characters. */
function isOrHolds(keyword: string) {
  const part = sql<string>`lower(cast(${keyword} as text))`;
  const conditions = (["username", "display_name", "email"] as const).map((column) => {
    const text = sql<string>`lower(${sql.ref(column)})`;
    return sql<SqlBool>`replace(${text}, ${part}, '') <> ${text}`;
  });
  if (/^\d{1,15}$/.test(keyword)) conditions.push(sql<SqlBool>`${sql.ref("users.id")} = ${Number(keyword)}`);
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}

/** A user without a group is in the default one. */
function shownGroup() {
  return sql<string>`lower(coalesce(nullif(${sql.ref("group")}, ''), 'default'))`;
}

function hasGroup(group: string) {
  const list = sql<string>`(',' || replace(${shownGroup()}, ' ', '') || ',')`;
  return sql<SqlBool>`replace(${list}, lower(cast(${`,${group},`} as text)), '') <> ${list}`;
}
