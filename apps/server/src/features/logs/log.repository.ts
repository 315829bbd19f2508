import { LOG_TYPE, type LogResult } from "@one-api/contract/log";
import type { Tables } from "@one-api/database/tables";
import { type Expression, type ExpressionBuilder, type Insertable, type Selectable, type SqlBool, sql } from "kysely";
import type { Queryable } from "../../core/transaction.ts";

const LOG_COLUMNS = [
  "id",
  "user_id",
  "created_at",
  "type",
  "content",
  "username",
  "token_name",
  "model_name",
  "quota",
  "prompt_tokens",
  "completion_tokens",
  "channel_id",
  "request_id",
  "elapsed_time",
  "is_stream",
  "detail",
  "result",
  "status_code",
] as const;

export type LogRow = Pick<Selectable<Tables["logs"]>, (typeof LOG_COLUMNS)[number]>;

/** Which entries are meant. Everything must be equal, times within the bounds; 0 or an empty text leaves a part out. */
export interface LogFilter {
  readonly userId: number;
  readonly type: number;
  readonly tokenName: string;
  readonly modelName: string;
  readonly username: string;
  readonly channelId: number;
  readonly result: LogResult;
  /** Unix seconds, the bounds themselves included. */
  readonly startTimestamp: number;
  readonly endTimestamp: number;
}

/** Totals of consumption entries. */
export interface Consumption {
  readonly quota: number;
  /** Prompt and completion tokens. */
  readonly token: number;
}

/** Counting ends here, so that a filter that leaves millions of entries costs no more than this. */
export const MAX_COUNTED_LOGS = 10_000;

/** Which rows of a list. */
export interface LogStretch {
  readonly limit: number;
  readonly offset: number;
}

/**
 * One stretch of the entries that the filter leaves, newest first. The ids are found first, in an index alone: a page far from the
 * beginning reads no rows on its way.
 */
export function listLogRows(queryable: Queryable, filter: LogFilter, stretch: LogStretch): Promise<LogRow[]> {
  return queryable
    .selectFrom("logs")
    .select(LOG_COLUMNS)
    .where("id", "in", (from) =>
      from
        .selectFrom("logs")
        .select("id")
        .where((builder) => matches(builder, filter))
        .orderBy("id", "desc")
        .limit(stretch.limit)
        .offset(stretch.offset),
    )
    .orderBy("id", "desc")
    .execute();
}

/** How many entries the filter leaves; 10,000 when there are more. */
export async function countLogs(queryable: Queryable, filter: LogFilter): Promise<number> {
  const { total } = await queryable
    .selectFrom((from) =>
      from
        .selectFrom("logs")
        .select("id")
        .where((builder) => matches(builder, filter))
        .limit(MAX_COUNTED_LOGS)
        .as("counted"),
    )
    .select((select) => select.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return total;
}

/** Ids from the first to the last, both included. */
export interface IdRange {
  readonly first: number;
  readonly last: number;
}

/** The ids of all entries; undefined when there are none. */
export async function findIdRange(queryable: Queryable): Promise<IdRange | undefined> {
  const ids = queryable.selectFrom("logs").select("id").limit(1);
  const [oldest, newest] = [
    await ids.orderBy("id").executeTakeFirst(),
    await ids.orderBy("id", "desc").executeTakeFirst(),
  ];
  return oldest === undefined || newest === undefined ? undefined : { first: oldest.id, last: newest.id };
}

/** Sums up the consumption entries among those that the filter leaves; its type is not looked at. Without a range, all of them. */
export function sumConsumption(queryable: Queryable, filter: LogFilter, range?: IdRange): Promise<Consumption> {
  const entries = queryable.selectFrom("logs");
  const within = range === undefined ? entries : entries.where("id", ">=", range.first).where("id", "<=", range.last);
  return within
    .select([
      sql<number>`coalesce(sum(${sql.ref("quota")}), 0)`.as("quota"),
      sql<number>`coalesce(sum(${sql.ref("prompt_tokens")} + ${sql.ref("completion_tokens")}), 0)`.as("token"),
    ])
    .where((builder) => matches(builder, { ...filter, type: LOG_TYPE.all }))
    .where((builder) => builder(unindexedType(builder), "=", LOG_TYPE.consumption))
    .executeTakeFirstOrThrow();
}

/** Columns whose values a filter suggests. */
export type SuggestedColumn = "model_name" | "token_name" | "username";

/** The column's different values from a text on, in order: one look into the index for each, however many entries there are. */
export async function listValues(
  queryable: Queryable,
  column: SuggestedColumn,
  from: string,
  limit: number,
): Promise<string[]> {
  const name = sql.ref(column);
  const { rows } = await sql<{ value: string }>`
    with recursive found(value, place) as (
      select (select min(${name}) from logs where ${name} >= ${from}), 1
      union all
      select (select min(${name}) from logs where ${name} > found.value), place + 1
      from found where found.value is not null and place < ${limit}
    )
    select value from found where value is not null and value <> ''`.execute(queryable);
  return rows.map(({ value }) => value);
}

/** The column's different values among the user's newest entries. */
export async function listRecentValues(
  queryable: Queryable,
  column: SuggestedColumn,
  userId: number,
  entries: number,
): Promise<string[]> {
  const rows = await queryable
    .selectFrom((from) =>
      from
        .selectFrom("logs")
        .select(column)
        .where("user_id", "=", userId)
        .orderBy("id", "desc")
        .limit(entries)
        .as("newest"),
    )
    .select((select) => select.ref(column).as("value"))
    .distinct()
    .where(column, "<>", "")
    .orderBy("value")
    .execute();
  return rows.map(({ value }) => value);
}

/** A log entry that belongs to no relayed request: it names no token and costs nothing. Without a user it is the gateway's own. */
export type PlainLog = Pick<Insertable<Tables["logs"]>, "created_at" | "type" | "content"> &
  Partial<
    Pick<
      Insertable<Tables["logs"]>,
      "user_id" | "username" | "model_name" | "channel_id" | "elapsed_time" | "request_id" | "result" | "status_code"
    >
  >;

const EMPTY_LOG = {
  user_id: 0,
  username: "",
  token_name: "",
  model_name: "",
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  channel_id: 0,
  request_id: "",
  elapsed_time: 0,
  is_stream: 0,
  detail: "",
} as const;

/** Adds the entry to the log. */
export async function writeLog(queryable: Queryable, log: PlainLog): Promise<void> {
  await queryable
    .insertInto("logs")
    .values({ ...EMPTY_LOG, ...log })
    .execute();
}

function matches(builder: ExpressionBuilder<Tables, "logs">, filter: LogFilter): Expression<SqlBool> {
  const equal: Expression<SqlBool>[] = [];
  if (filter.userId !== 0) equal.push(builder("user_id", "=", filter.userId));
  if (filter.username !== "") equal.push(builder("username", "=", filter.username));
  if (filter.tokenName !== "") equal.push(builder("token_name", "=", filter.tokenName));
  if (filter.channelId !== 0) equal.push(builder("channel_id", "=", filter.channelId));
  if (filter.modelName !== "") equal.push(builder("model_name", "=", filter.modelName));
  if (filter.result !== "") equal.push(builder("result", "=", filter.result));
  // The index of results leaves the usual one out, and is used where the statement says so too.
  if (filter.result !== "" && filter.result !== "ok") equal.push(sql<SqlBool>`result <> 'ok' and result <> ''`);
  const bounds: Expression<SqlBool>[] = [];
  if (filter.startTimestamp !== 0) bounds.push(builder("created_at", ">=", filter.startTimestamp));
  if (filter.endTimestamp !== 0) bounds.push(builder("created_at", "<=", filter.endTimestamp));
  return builder.and([...equal, ...bounds, ...typeCondition(builder, filter, equal.length > 0)]);
}

function typeCondition(
  builder: ExpressionBuilder<Tables, "logs">,
  { type }: LogFilter,
  hasBetterIndex: boolean,
): Expression<SqlBool>[] {
  if (type === LOG_TYPE.all) return [];
  return [hasBetterIndex ? builder(unindexedType(builder), "=", type) : builder("type", "=", type)];
}

/** Nearly all entries are of one type: as a sum it keeps SQLite from walking the index of types where another one is better. */
function unindexedType(builder: ExpressionBuilder<Tables, "logs">): Expression<number> {
  return builder("type", "+", 0);
}
