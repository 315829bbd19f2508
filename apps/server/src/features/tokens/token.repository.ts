import { LIMIT_FIELDS } from "@one-api/contract/limits/limit-constants";
import { NEVER_EXPIRES, TOKEN_STATUS, type TOKEN_ORDERS } from "@one-api/contract/token-constants";
import type { Tables } from "@one-api/database/tables";
import {
  type Expression,
  type Insertable,
  type Selectable,
  type RawBuilder,
  type SqlBool,
  sql,
  type Updateable,
} from "kysely";
import { countRows, type OrderedPage } from "../../core/lists/list-page.ts";
import { everyCondition, beginsWith } from "../../core/lists/match-keyword.ts";
import type { Queryable } from "../../core/transaction.ts";
import type { StoredTokenKey } from "./key/create-token-key.ts";
import { BUDGET_COLUMNS, type BudgetColumns, NO_BUDGET, selectBudgets } from "../budgets/index.ts";

const TOKEN_COLUMNS = [
  "id",
  "user_id",
  "name",
  "key_cipher",
  "old_key_ends_at",
  "status",
  "created_time",
  "expired_time",
  "unlimited_quota",
  "models",
  "group",
  "subnet",
  ...LIMIT_FIELDS,
  "email",
  "custom_contact",
  "moderations_enable",
  "keep_bodies",
  "flagged_count",
] as const;

export interface TokenRow extends Pick<Selectable<Tables["tokens"]>, (typeof TOKEN_COLUMNS)[number]>, BudgetColumns {
  readonly remain_quota: number;
  readonly used_quota: number;
  readonly accessed_time: number;
}

export type TokenChanges = Omit<
  Updateable<Tables["tokens"]>,
  "id" | "user_id" | "flagged_count" | "key_hmac" | "key_cipher" | "old_key_hmac"
>;

export interface TokenFilter {
  readonly userId: number;
  readonly keyword: string;
  /** A status of `statusAt`; 0 for any. */
  readonly status: number;
  readonly now: number;
}

export type TokenPage = OrderedPage<(typeof TOKEN_ORDERS)[number]>;

export function listTokensOf(queryable: Queryable, filter: TokenFilter, page: TokenPage): Promise<TokenRow[]> {
  const order = orderOf(page, filter.now);
  // Sorts ids only and then reads the page's rows, as rows are long and joined.
  const ids = queryable
    .selectFrom("tokens")
    .innerJoin("token_balances", "token_balances.token_id", "tokens.id")
    .select("tokens.id")
    .where(matches(filter))
    .orderBy(order)
    .limit(page.limit)
    .offset(page.offset);
  return selectTokens(queryable).where("tokens.id", "in", ids).orderBy(order).execute();
}

export function countTokensOf(queryable: Queryable, filter: TokenFilter): Promise<number> {
  const tokens = queryable
    .selectFrom("tokens")
    .innerJoin("token_balances", "token_balances.token_id", "tokens.id")
    .where(matches(filter));
  return countRows(tokens);
}

/** Undefined for another user's token. */
export function findTokenOf(queryable: Queryable, userId: number, id: number): Promise<TokenRow | undefined> {
  return selectTokens(queryable).where("id", "=", id).where("user_id", "=", userId).executeTakeFirst();
}

export function listTokenLimits(queryable: Queryable, userId: number, ids: readonly number[]) {
  const tokens = queryable
    .selectFrom("tokens")
    .select(["id", ...LIMIT_FIELDS])
    .where("user_id", "=", userId);
  return tokens
    .where("id", "in", ids.length === 0 ? [0] : ids)
    .orderBy("id")
    .execute();
}

function selectTokens(queryable: Queryable) {
  return queryable
    .selectFrom("tokens")
    .innerJoin("token_balances", "token_balances.token_id", "tokens.id")
    .leftJoin(selectBudgets(queryable), (join) =>
      join.onRef("budget_user_id", "=", "tokens.user_id").onRef("budget_token_id", "=", "tokens.id"),
    )
    .select([...TOKEN_COLUMNS, ...BUDGET_COLUMNS])
    .select(["remaining as remain_quota", "used as used_quota", "last_used_at as accessed_time"]);
}

export type NewToken = Omit<Insertable<Tables["tokens"]>, "id">;

export async function insertToken(queryable: Queryable, token: Insertable<Tables["tokens"]>): Promise<TokenRow> {
  const row = await queryable.insertInto("tokens").values(token).returning(TOKEN_COLUMNS).executeTakeFirstOrThrow();
  return { ...row, remain_quota: 0, used_quota: 0, accessed_time: 0, ...NO_BUDGET };
}

/** Changes the given columns of the user's token. Undefined for another user's token. */
export async function changeTokenOf(
  queryable: Queryable,
  userId: number,
  id: number,
  changes: TokenChanges,
): Promise<TokenRow | undefined> {
  if (Object.keys(changes).length > 0)
    await queryable.updateTable("tokens").set(changes).where("id", "=", id).where("user_id", "=", userId).execute();
  return findTokenOf(queryable, userId, id);
}

/**
 * Sets a new key. The current one stays valid until `endsAt` (Unix seconds); an older one is dropped.
 * Undefined for another user's token.
 */
export async function replaceKeyOf(
  queryable: Queryable,
  userId: number,
  id: number,
  key: StoredTokenKey,
  endsAt: number,
): Promise<TokenRow | undefined> {
  await queryable
    .updateTable("tokens")
    .set((row) => ({ ...key, old_key_hmac: row.ref("key_hmac"), old_key_ends_at: endsAt }))
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .execute();
  return findTokenOf(queryable, userId, id);
}

export async function deleteTokenOf(queryable: Queryable, userId: number, id: number): Promise<boolean> {
  const result = await queryable
    .deleteFrom("tokens")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

function matches({ userId, keyword, status, now }: TokenFilter): Expression<SqlBool> {
  const conditions: Expression<SqlBool>[] = [sql<SqlBool>`${sql.ref("user_id")} = ${userId}`];
  if (keyword !== "") conditions.push(beginsWith("name", keyword));
  if (status !== 0) conditions.push(sql<SqlBool>`${statusAtSql(now)} = ${status}`);
  return everyCondition(conditions);
}

function orderOf({ order, direction: asked }: TokenPage, now: number): RawBuilder<unknown> {
  const newestFirst = order === "default";
  const direction = (asked ?? (order === "name" ? "asc" : "desc")) === "asc" ? sql`asc` : sql`desc`;
  const keys = newestFirst ? [] : sortKeysOf(order, now).map((key) => sql`${key} ${direction}`);
  return sql.join([...keys, sql`${sql.ref("id")} ${newestFirst ? direction : sql`desc`}`]);
}

/** Sort keys in the order of the displayed values. Tokens that never expire come last. */
function sortKeysOf(order: Exclude<TokenPage["order"], "default">, now: number): readonly Expression<unknown>[] {
  if (order === "name") return [sql`lower(${sql.ref("name")})`];
  if (order === "status") return [statusAtSql(now)];
  if (order === "remain_quota") return [sql.ref("unlimited_quota"), sql.ref("remaining")];
  if (order === "expired_time")
    return [sql`nullif(${sql.ref("expired_time")}, ${NEVER_EXPIRES}) is null`, sql.ref(order)];
  if (order === "used_quota") return [sql.ref("used")];
  return [sql.ref(order === "accessed_time" ? "last_used_at" : order)];
}

function statusAtSql(now: number) {
  return sql<number>`case when ${sql.ref("status")} = ${TOKEN_STATUS.disabled} then ${TOKEN_STATUS.disabled}
    when ${sql.ref("expired_time")} <> ${NEVER_EXPIRES} and ${sql.ref("expired_time")} <= ${now} then ${TOKEN_STATUS.expired}
    when ${sql.ref("unlimited_quota")} = 0 and ${sql.ref("remaining")} = 0 then ${TOKEN_STATUS.exhausted}
    else ${TOKEN_STATUS.enabled} end`;
}
