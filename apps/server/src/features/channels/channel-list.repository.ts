import { CHANNEL_STATUS, type CHANNEL_ORDERS, KEY_STATUS } from "@one-api/contract/channels/channel-constants";
import type { Direction } from "@one-api/contract/fields";
import type { Tables } from "@one-api/database/tables";
import { type Expression, type Selectable, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import { countRows, type OrderedPage } from "../../core/lists/list-page.ts";
import { everyCondition, beginsWith, containsKeyword, isIdOr } from "../../core/lists/match-keyword.ts";
import type { Queryable } from "../../core/transaction.ts";
import { CHANNEL_COLUMNS, type ChannelRow } from "./channel.repository.ts";
import type { TrafficOrder } from "./traffic/rank-channels.ts";

export type ColumnOrder = "default" | Exclude<(typeof CHANNEL_ORDERS)[number], TrafficOrder>;

type Channel = Selectable<Tables["channels"]>;

export interface ChannelFilter {
  readonly keyword: string;
  readonly also: "" | "models";
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
  { order, direction, limit, offset }: OrderedPage<Exclude<ColumnOrder, "default">>,
): Promise<ChannelRow[]> {
  const query = queryable.selectFrom("channels").select(CHANNEL_COLUMNS).where(matches(filter));
  return inOrder(query, filter, order, direction).limit(limit).offset(offset).execute();
}

/** Facts that rank and group the matching channels. `status` is the displayed one. */
export function listChannelFacts(
  queryable: Queryable,
  filter: ChannelFilter,
  order: ColumnOrder,
  direction?: Direction,
): Promise<(Pick<Channel, "id" | "type" | "tags" | "status_hint" | "last_test"> & { status: number })[]> {
  const query = queryable
    .selectFrom("channels")
    .select(["id", "type", "tags", "status_hint", "last_test"])
    .select(shownStatus(filter).as("status"))
    .where(matches(filter));
  return inOrder(query, filter, order, direction).execute();
}

export async function listRowsOf(queryable: Queryable, ids: readonly number[]): Promise<ChannelRow[]> {
  if (ids.length === 0) return [];
  const rows = await queryable.selectFrom("channels").select(CHANNEL_COLUMNS).where("id", "in", ids).execute();
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => rowOf.get(id) ?? []);
}

function inOrder<Output>(
  query: SelectQueryBuilder<Tables, "channels", Output>,
  filter: ChannelFilter,
  order: ColumnOrder,
  asked: Direction | undefined,
): SelectQueryBuilder<Tables, "channels", Output> {
  const byText = order === "name" || order === "group";
  const direction = asked ?? (byText ? "asc" : "desc");
  if (order === "default") return query.orderBy("id", direction);
  return query.orderBy(orderKey(order, filter), direction).orderBy("id", "desc");
}

function orderKey(order: Exclude<ColumnOrder, "default">, filter: ChannelFilter) {
  if (order === "name" || order === "group") return sql`lower(${sql.ref(order)})`;
  if (order === "status") return shownStatus(filter);
  return order === "balance" ? knownBalance() : sql.ref(order);
}

/** Several keys change between two checks. Without an enabled one it is the sum of the last check. */
function knownBalance() {
  return sql`coalesce((select sum(case when k.balance > 0 and k.balance_error = '' then k.balance else 0 end)
    from channel_keys as k where k.channel_id = channels.id and k.status = ${KEY_STATUS.enabled}), channels.balance)`;
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
): Promise<Pick<Channel, "id" | "status" | "models" | "model_mapping" | "awake_time" | "paused_until">[]> {
  return queryable
    .selectFrom("channels")
    .select(["id", "status", "models", "model_mapping", "awake_time", "paused_until"])
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
  if (filter.keyword !== "") conditions.push(isIdOr("id", filter.keyword, isNamed(filter)));
  if (filter.status !== 0) conditions.push(sql<SqlBool>`${shownStatus(filter)} = ${filter.status}`);
  if (filter.type !== 0) conditions.push(sql<SqlBool>`${sql.ref("type")} = ${filter.type}`);
  if (filter.group !== "") conditions.push(listContains("group", filter.group));
  if (filter.tag !== "") conditions.push(listContains("tags", filter.tag));
  return everyCondition(conditions);
}

function isNamed({ keyword, also }: ChannelFilter): Expression<SqlBool> {
  const byName = beginsWith("name", keyword);
  if (also === "") return byName;
  const models = sql<string>`lower(',' || replace(${sql.ref("models")}, ' ', ''))`;
  return sql<SqlBool>`(${byName} or replace(${models}, lower(cast(${`,${keyword}`} as text)), '') <> ${models})`;
}

/** Both databases have `replace`; their functions for positions differ. */
function listContains(column: "group" | "tags", name: string) {
  const list = sql<string>`(',' || ${sql.ref(column)} || ',')`;
  return sql<SqlBool>`replace(${list}, cast(${`,${name},`} as text), '') <> ${list}`;
}

/** An enabled channel whose models are all limited is displayed as dormant. */
function shownStatus({ now, dormantIds }: Pick<ChannelFilter, "now" | "dormantIds">) {
  const status = sql.ref("status");
  const isOff = sql`${sql.ref("awake_time")} > ${now} or ${sql.ref("paused_until")} > ${now}`;
  const isDormant =
    dormantIds.length === 0 ? sql`(${isOff})` : sql`(${isOff} or ${sql.ref("id")} in (${sql.join(dormantIds)}))`;
  return sql<number>`case when ${status} = ${CHANNEL_STATUS.enabled} and ${isDormant} then ${CHANNEL_STATUS.dormant} else ${status} end`;
}
