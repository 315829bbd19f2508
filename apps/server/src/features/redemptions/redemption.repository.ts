import { REDEMPTION_STATUS, type REDEMPTION_ORDERS } from "@one-api/contract/redemption-constants";
import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import type { Tables } from "@one-api/database/tables";
import { type Expression, type Insertable, type Selectable, type SqlBool, sql, type Updateable } from "kysely";
import { countRows, type OrderedPage } from "../../core/lists/list-page.ts";
import { everyCondition, beginsWith, isIdOr } from "../../core/lists/match-keyword.ts";
import type { Queryable } from "../../core/transaction.ts";

const REDEMPTION_COLUMNS = [
  "redemptions.id",
  "redemptions.name",
  "redemptions.key_cipher",
  "redemptions.status",
  "redemptions.quota",
  "redemptions.created_time",
  "redemptions.redeemed_time",
] as const;

export interface RedemptionRow extends Pick<
  Selectable<Tables["redemptions"]>,
  "id" | "name" | "key_cipher" | "status" | "quota" | "created_time" | "redeemed_time"
> {
  readonly redeemed_by: string | null;
}

export interface RedemptionFilter {
  readonly keyword: string;
  readonly status: number;
}

export function listRedemptionRows(
  queryable: Queryable,
  filter: RedemptionFilter,
  { order, direction, limit, offset }: OrderedPage<(typeof REDEMPTION_ORDERS)[number]>,
): Promise<RedemptionRow[]> {
  const wanted = direction ?? (order === "name" ? "asc" : "desc");
  let query = selectRedemptions(queryable).where(matches(filter));
  if (order === "name") query = query.orderBy(sql`lower(${sql.ref("redemptions.name")})`, wanted);
  else if (order !== "default") query = query.orderBy(`redemptions.${order}`, wanted);
  return query
    .orderBy("redemptions.id", order === "default" ? wanted : "desc")
    .limit(limit)
    .offset(offset)
    .execute();
}

export function countRedemptions(queryable: Queryable, filter: RedemptionFilter): Promise<number> {
  return countRows(queryable.selectFrom("redemptions").where(matches(filter)));
}

export function findRedemption(queryable: Queryable, id: number): Promise<RedemptionRow | undefined> {
  return selectRedemptions(queryable).where("redemptions.id", "=", id).executeTakeFirst();
}

type BatchKey = Pick<RedemptionRow, "name" | "created_time">;

export interface BatchRow extends BatchKey {
  readonly count: number;
  readonly used: number;
}

/** Codes that were created together have the same name and second. */
export async function listBatches(queryable: Queryable, codes: readonly BatchKey[]): Promise<BatchRow[]> {
  if (codes.length === 0) return [];
  const used = sql<number>`sum(case when status = ${REDEMPTION_STATUS.used} then 1 else 0 end)`;
  return queryable
    .selectFrom("redemptions")
    .select(({ fn }) => ["name", "created_time", fn.countAll<number>().as("count"), used.as("used")])
    .where("name", "in", [...new Set(codes.map(({ name }) => name))])
    .where("created_time", "in", [...new Set(codes.map((code) => code.created_time))])
    .groupBy(["name", "created_time"])
    .execute();
}

function selectRedemptions(queryable: Queryable) {
  return queryable
    .selectFrom("redemptions")
    .leftJoin("users", (join) =>
      join.onRef("users.id", "=", "redemptions.redeemed_by").on("users.status", "!=", USER_STATUS.deleted),
    )
    .select(REDEMPTION_COLUMNS)
    .select("users.username as redeemed_by");
}

export async function insertRedemptions(
  queryable: Queryable,
  redemptions: readonly Insertable<Tables["redemptions"]>[],
): Promise<number[]> {
  const rows = await queryable.insertInto("redemptions").values(redemptions).returning("id").execute();
  return rows.map(({ id }) => id);
}

export async function changeUnusedRedemption(
  queryable: Queryable,
  id: number,
  changes: Pick<Updateable<Tables["redemptions"]>, "name" | "quota" | "status">,
): Promise<boolean> {
  const result = await queryable
    .updateTable("redemptions")
    .set(changes)
    .where("id", "=", id)
    .where("status", "!=", REDEMPTION_STATUS.used)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export function deleteRedemptionRow(queryable: Queryable, id: number) {
  return queryable
    .deleteFrom("redemptions")
    .where("id", "=", id)
    .returning(["name", "status", "quota"])
    .executeTakeFirst();
}

/** Marks the unused code with the lookup value as used and returns it; undefined if there is none. */
export function markUsed(queryable: Queryable, lookup: string, userId: number, now: number) {
  return queryable
    .updateTable("redemptions")
    .set({ status: REDEMPTION_STATUS.used, redeemed_time: now, redeemed_by: userId })
    .where("key_hmac", "=", lookup)
    .where("status", "=", REDEMPTION_STATUS.unused)
    .returning(["id", "name", "quota"])
    .executeTakeFirst();
}

export async function findStatusByLookup(queryable: Queryable, lookup: string): Promise<number | undefined> {
  const row = await queryable
    .selectFrom("redemptions")
    .select("status")
    .where("key_hmac", "=", lookup)
    .executeTakeFirst();
  return row?.status;
}

function matches({ keyword, status }: RedemptionFilter): Expression<SqlBool> {
  const conditions: Expression<SqlBool>[] = [];
  if (status !== 0) conditions.push(sql<SqlBool>`${sql.ref("redemptions.status")} = ${status}`);
  if (keyword !== "") conditions.push(isIdOr("redemptions.id", keyword, beginsWith("redemptions.name", keyword)));
  return everyCondition(conditions);
}
