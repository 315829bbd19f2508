import { PAGE_SIZE } from "@one-api/contract/constants";
import { LOG_TYPE } from "@one-api/contract/log";
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

/** One page of the entries that the filter leaves, newest first. */
export function listLogRows(queryable: Queryable, filter: LogFilter, page: number): Promise<LogRow[]> {
  return queryable
    .selectFrom("logs")
    .select(LOG_COLUMNS)
    .where((builder) => matches(builder, filter))
    .orderBy("id", "desc")
    .limit(PAGE_SIZE)
    .offset(page * PAGE_SIZE)
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

/** A log entry that belongs to no relayed request: it names no token and costs nothing. */
export type PlainLog = Pick<
  Insertable<Tables["logs"]>,
  | "user_id"
  | "username"
  | "created_at"
  | "type"
  | "content"
  | "model_name"
  | "channel_id"
  | "elapsed_time"
  | "request_id"
>;

/** Adds the entry to the log. */
export async function writeLog(queryable: Queryable, log: PlainLog): Promise<void> {
  await queryable
    .insertInto("logs")
    .values({ ...log, token_name: "", quota: 0, prompt_tokens: 0, completion_tokens: 0, is_stream: 0, detail: "" })
    .execute();
}

function matches(builder: ExpressionBuilder<Tables, "logs">, filter: LogFilter): Expression<SqlBool> {
  const equal: Expression<SqlBool>[] = [];
  if (filter.userId !== 0) equal.push(builder("user_id", "=", filter.userId));
  if (filter.username !== "") equal.push(builder("username", "=", filter.username));
  if (filter.tokenName !== "") equal.push(builder("token_name", "=", filter.tokenName));
  if (filter.channelId !== 0) equal.push(builder("channel_id", "=", filter.channelId));
  if (filter.modelName !== "") equal.push(builder("model_name", "=", filter.modelName));
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
