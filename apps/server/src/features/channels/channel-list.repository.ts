import { CHANNEL_STATUS, type CHANNEL_ORDERS } from "@one-api/contract/channels/channel";
import type { Tables } from "@one-api/database/tables";
import { type Expression, type Selectable, type SqlBool, sql } from "kysely";
import { countRows, type OrderedPage } from "../../core/lists/list-page.ts";
import { allHold, beginsWith, holds, isIdOr } from "../../core/lists/match-keyword.ts";
import type { Queryable } from "../../core/transaction.ts";
import { CHANNEL_COLUMNS, type ChannelRow } from "./channel.repository.ts";

type Channel = Selectable<Tables["channels"]>;

/** Which channels are meant. */
export interface ChannelFilter {
  /** An id, or the beginning of a name; empty for any. */
  readonly keyword: string;
  /** As shown; 0 for any. */
  readonly status: number;
  /** 0 for any. */
  readonly type: number;
  /** Empty for any. */
  readonly group: string;
  /** Empty for any. */
  readonly tag: string;
  /** Unix time in seconds. */
  readonly now: number;
  /** Enabled channels all of whose models sleep. */
  readonly dormantIds: readonly number[];
}

/** One stretch of the channels that the filter leaves; equal ones stand newest first. */
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

/** How many channels the filter leaves. */
export function countChannels(queryable: Queryable, filter: ChannelFilter): Promise<number> {
  return countRows(queryable.selectFrom("channels").where(matches(filter)));
}

/** Ids of the channels that the filter leaves, newest first. */
export async function listMatchingIds(queryable: Queryable, filter: ChannelFilter): Promise<number[]> {
  const rows = await queryable
    .selectFrom("channels")
    .select("id")
    .where(matches(filter))
    .orderBy("id", "desc")
    .execute();
  return rows.map(({ id }) => id);
}

/** The tags of each channel that has some, as comma-separated lists. */
export async function listTags(queryable: Queryable): Promise<string[]> {
  const rows = await queryable.selectFrom("channels").select("tags").where("tags", "<>", "").execute();
  return rows.map(({ tags }) => tags);
}

/** What the enabled ones of these channels serve, to see which of them sleep as a whole. */
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

/** Id and name of the channels with these ids. */
export async function nameChannels(queryable: Queryable, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await queryable.selectFrom("channels").select(["id", "name"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Ids and names of the channels that a keyword may mean: by id, or by a part of the name; those whose name begins with it first. */
export function suggestChannels(
  queryable: Queryable,
  keyword: string,
  limit: number,
): Promise<Pick<Channel, "id" | "name">[]> {
  return queryable
    .selectFrom("channels")
    .select(["id", "name"])
    .where(keyword === "" ? allHold([]) : isIdOr("id", keyword, holds(["name"], keyword)))
    .orderBy(sql`case when ${beginsWith("name", keyword)} then 0 else 1 end`)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

function matches(filter: ChannelFilter): Expression<SqlBool> {
  const conditions: Expression<SqlBool>[] = [];
  if (filter.keyword !== "") conditions.push(isIdOr("id", filter.keyword, beginsWith("name", filter.keyword)));
  if (filter.status !== 0) conditions.push(sql<SqlBool>`${shownStatus(filter)} = ${filter.status}`);
  if (filter.type !== 0) conditions.push(sql<SqlBool>`${sql.ref("type")} = ${filter.type}`);
  if (filter.group !== "") conditions.push(listHolds("group", filter.group));
  if (filter.tag !== "") conditions.push(listHolds("tags", filter.tag));
  return allHold(conditions);
}

/** One of the comma-separated names: both databases know `replace`, and each finds a text in another by a name of its own. */
function listHolds(column: "group" | "tags", name: string) {
  const list = sql<string>`(',' || ${sql.ref(column)} || ',')`;
  return sql<SqlBool>`replace(${list}, cast(${`,${name},`} as text), '') <> ${list}`;
}

/** An enabled channel that sleeps as a whole is shown as dormant. */
function shownStatus({ now, dormantIds }: Pick<ChannelFilter, "now" | "dormantIds">) {
  const [status, awakeTime] = [sql.ref("status"), sql.ref("awake_time")];
  const asleep =
    dormantIds.length === 0
      ? sql`${awakeTime} > ${now}`
      : sql`(${awakeTime} > ${now} or ${sql.ref("id")} in (${sql.join(dormantIds)}))`;
  return sql<number>`case when ${status} = ${CHANNEL_STATUS.enabled} and ${asleep} then ${CHANNEL_STATUS.dormant} else ${status} end`;
}
