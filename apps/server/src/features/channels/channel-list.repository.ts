import { CHANNEL_STATUS, type CHANNEL_ORDERS } from "@one-api/contract/channels/channel-constants";
import type { Tables } from "@one-api/database/tables";
import { type Expression, type Selectable, type SqlBool, sql } from "kysely";
import { countRows, type OrderedPage } from "../../core/lists/list-page.ts";
import { everyCondition, beginsWith, containsKeyword, isIdOr } from "../../core/lists/match-keyword.ts";
import type { Queryable } from "../../core/transaction.ts";
import { CHANNEL_COLUMNS, type ChannelRow } from "./channel.repository.ts";

type Channel = Selectable<Tables["channels"]>;

export interface ChannelFilter {
  /** An id, or the beginning of a name; empty for any. */
  readonly keyword: string;
  readonly status: number;
  readonly type: number;
  readonly group: string;
  readonly tag: string;
  readonly now: number;
  readonly dormantIds: readonly number[];
}

/** One page of the matching channels. Equal ones are ordered newest first. */
export function listChannelRows(
  queryable: Queryable,
  filter: ChannelFilter,
  page: OrderedPage<(typeof CHANNEL_ORDERS)[number]>,
): Promise<ChannelRow[]> {
  const { order, limit, offset } = page;
  const byText = order === "name" || order === "group";
  const direction = page.direction ?? (byText ? "asc" : "desc");
  let query = queryable.selectFrom("channels").select(CHANNEL_COLUMNS).where(matches(filter));
  if (byText) query = query.orderBy(sql`lower(${sql.ref(order)})`, direction);
  else if (order === "status") query = query.orderBy(shownStatus(filter), direction);
  else if (order !== "default") query = query.orderBy(order, direction);
  return query
    .orderBy("id", order === "default" ? direction : "desc")
    .limit(limit)
    .offset(offset)
    .execute();
}

export function countChannels(queryable: Queryable, filter: ChannelFilter): Promise<number> {
  return countRows(queryable.selectFrom("channels").where(matches(filter)));
}

export async function listMatchingIds(queryable: Queryable, filter: ChannelFilter): Promise<number[]> {
  const rows = await queryable
    .selectFrom("channels")
    .select("id")
    .where(matches(filter))
    .orderBy("id", "desc")
    .execute();
  return rows.map(({ id }) => id);
}

export async function listTags(queryable: Queryable): Promise<string[]> {
  const rows = await queryable.selectFrom("channels").select("tags").where("tags", "<>", "").execute();
  return rows.map(({ tags }) => tags);
}

/** Models of the enabled channels among the ids, to find dormant ones. */
export function listServedByEnabled(
  queryable: Queryable,
  ids: readonly number[],
): Promise<Pick<Channel, "id" | "status" | "models" | "model_mapping" | "awake_time">[]> {
  return queryable
    .selectFrom("channels")
    .select(["id", "status", "models", "model_mapping", "awake_time"])
    .where("status", "=", CHANNEL_STATUS.enabled)
    .where("id", "in", ids)
    .execute();
}

export async function nameChannels(queryable: Queryable, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await queryable.selectFrom("channels").select(["id", "name"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Channels that match the keyword by id or by a part of the name. Names that begin with it come first. */
export function suggestChannels(
  queryable: Queryable,
  keyword: string,
  limit: number,
): Promise<Pick<Channel, "id" | "name">[]> {
  return queryable
    .selectFrom("channels")
    .select(["id", "name"])
    .where(keyword === "" ? everyCondition([]) : isIdOr("id", keyword, containsKeyword(["name"], keyword)))
    .orderBy(sql`case when ${beginsWith("name", keyword)} then 0 else 1 end`)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** Numbers of channels by status, also of those that no channel has. */
export async function countChannelsByStatus(
  queryable: Queryable,
  now: number,
): Promise<readonly { readonly status: keyof typeof CHANNEL_STATUS; readonly count: number }[]> {
  const rows = await queryable
    .selectFrom("channels")
    .select((columns) => [shownStatus({ now, dormantIds: [] }).as("shown"), columns.fn.countAll<number>().as("count")])
    .groupBy("shown")
    .execute();
  const statuses = ["enabled", "disabled", "autoDisabled", "dormant", "reserve"] as const;
  return statuses.map((status) => ({
    status,
    count: rows.find(({ shown }) => shown === CHANNEL_STATUS[status])?.count ?? 0,
  }));
}

function matches(filter: ChannelFilter): Expression<SqlBool> {
  const conditions: Expression<SqlBool>[] = [];
  if (filter.keyword !== "") conditions.push(isIdOr("id", filter.keyword, beginsWith("name", filter.keyword)));
  if (filter.status !== 0) conditions.push(sql<SqlBool>`${shownStatus(filter)} = ${filter.status}`);
  if (filter.type !== 0) conditions.push(sql<SqlBool>`${sql.ref("type")} = ${filter.type}`);
  if (filter.group !== "") conditions.push(listContains("group", filter.group));
  if (filter.tag !== "") conditions.push(listContains("tags", filter.tag));
  return everyCondition(conditions);
}

/** Both databases have `replace`; their functions for positions differ. */
function listContains(column: "group" | "tags", name: string) {
  const list = sql<string>`(',' || ${sql.ref(column)} || ',')`;
  return sql<SqlBool>`replace(${list}, cast(${`,${name},`} as text), '') <> ${list}`;
}

/** An enabled channel whose models are all limited is displayed as dormant. */
function shownStatus({ now, dormantIds }: Pick<ChannelFilter, "now" | "dormantIds">) {
  const [status, dormantUntil] = [sql.ref("status"), sql.ref("awake_time")];
  const isDormant =
    dormantIds.length === 0
      ? sql`${dormantUntil} > ${now}`
      : sql`(${dormantUntil} > ${now} or ${sql.ref("id")} in (${sql.join(dormantIds)}))`;
  return sql<number>`case when ${status} = ${CHANNEL_STATUS.enabled} and ${isDormant} then ${CHANNEL_STATUS.dormant} else ${status} end`;
}
