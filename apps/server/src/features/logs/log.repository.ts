import { LOG_TYPE } from "@one-api/contract/logs/log";
import type { LogEvent } from "@one-api/contract/logs/log-event";
import type { OpenDatabase } from "@one-api/database/open-database";
import type { Tables } from "@one-api/database/tables";
import { type Expression, type ExpressionBuilder, type Insertable, type Selectable, type SqlBool, sql } from "kysely";
import type { Queryable } from "../../core/transaction.ts";
import { among } from "./groups/log-groups.ts";
import { conditionsOf, type LogFilter } from "./log-filter.ts";

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
  "token_id",
  "request_id",
  "elapsed_time",
  "is_stream",
  "detail",
  "result",
  "status_code",
  "shortfall",
  "first_byte_ms",
] as const;

export type LogRow = Pick<Selectable<Tables["logs"]>, (typeof LOG_COLUMNS)[number]>;

/** Totals of entries. */
export interface Consumption {
  readonly quota: number;
  /** Prompt and completion tokens. */
  readonly token: number;
}

/** Ids after the first one and up to the last. */
export interface IdStretch {
  readonly after: number;
  readonly last: number;
}

/** A stretch of ids, or single ones. */
export type LogStretch = IdStretch | { readonly ids: readonly number[] };

/** Those of the entries with these ids that the filter leaves, newest first. */
export function listRowsByIds(queryable: Queryable, filter: LogFilter, ids: readonly number[]): Promise<LogRow[]> {
  return queryable
    .selectFrom("logs")
    .select(LOG_COLUMNS)
    .where((builder) => builder.and([builder("id", "in", ids), matches(builder, filter)]))
    .orderBy("id", "desc")
    .execute();
}

/** The entry of a relayed request; undefined when there is none or it is hidden. */
export function findRowOfRequest(queryable: Queryable, requestId: string): Promise<LogRow | undefined> {
  return (
    queryable
      .selectFrom("logs")
      .select(LOG_COLUMNS)
      .where("request_id", "=", requestId)
      // These two are the conditions of the unique index, which is used where a statement names them.
      .where(sql<boolean>`type = ${sql.lit(LOG_TYPE.consumption)} and request_id <> ''`)
      .where("hidden", "=", 0)
      .executeTakeFirst()
  );
}

/** The newest id; 0 when there is none. */
export async function findNewestId(queryable: Queryable): Promise<number> {
  const row = await queryable.selectFrom("logs").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  return row?.id ?? 0;
}

/** The next entries in the stretch: how many there are, at most so many, and up to which id they go. */
export async function findNextStretch(
  queryable: Queryable,
  { after, last }: IdStretch,
  most: number,
): Promise<IdStretch & { readonly entries: number }> {
  const { rows } = await sql<{ entries: number; last: number }>`
    select count(*) as entries, max(id) as last from (
      select id from logs where id > ${after} and id <= ${last} order by id limit ${most}) as next_entries`.execute(
    queryable,
  );
  return { after, last: rows[0]?.last ?? after, entries: rows[0]?.entries ?? 0 };
}

/** The ids of the entries in the stretch that the filter leaves, newest first. */
export async function listIds({ kind, db }: OpenDatabase, filter: LogFilter, stretch: LogStretch): Promise<number[]> {
  const rows = await db
    .selectFrom("logs")
    .select("id")
    .where((builder) => builder.and([within(kind, builder, stretch), matches(builder, filter)]))
    .orderBy("id", "desc")
    .execute();
  return rows.map(({ id }) => id);
}

/** Totals of the entries in the stretch that the filter leaves. */
export function sumRows({ kind, db }: OpenDatabase, filter: LogFilter, stretch: LogStretch): Promise<Consumption> {
  return db
    .selectFrom("logs")
    .select([
      sql<number>`coalesce(sum(quota), 0)`.as("quota"),
      sql<number>`coalesce(sum(prompt_tokens + completion_tokens), 0)`.as("token"),
    ])
    .where((builder) => builder.and([within(kind, builder, stretch), matches(builder, filter)]))
    .executeTakeFirstOrThrow();
}

/** Totals of the entries of a model that ended the same way. */
export interface ResultTotals {
  readonly model: string;
  readonly result: string;
  readonly entries: number;
  readonly quota: number;
  /** Prompt and completion tokens. */
  readonly tokens: number;
}

/** Totals of the entries in the stretch that the filter leaves, by model and result. */
export function sumRowsByResult(
  { kind, db }: OpenDatabase,
  filter: LogFilter,
  stretch: LogStretch,
): Promise<ResultTotals[]> {
  return db
    .selectFrom("logs")
    .select((select) => [
      "model_name as model",
      "result",
      select.fn.countAll<number>().as("entries"),
      sql<number>`coalesce(sum(quota), 0)`.as("quota"),
      sql<number>`coalesce(sum(prompt_tokens + completion_tokens), 0)`.as("tokens"),
    ])
    .where((builder) => builder.and([within(kind, builder, stretch), matches(builder, filter)]))
    .groupBy(["model_name", "result"])
    .execute();
}

/** How long a request took. */
export interface RequestTimes {
  readonly model: string;
  /** Until the last byte, in ms. */
  readonly durationMs: number;
  /** Of a stream: until the first byte, in ms; 0 without. */
  readonly firstByteMs: number;
}

/** How long the requests of the entries with these ids took. */
export function listTimes({ kind, db }: OpenDatabase, ids: readonly number[]): Promise<RequestTimes[]> {
  return db
    .selectFrom("logs")
    .select([
      "model_name as model",
      "elapsed_time as durationMs",
      sql<number>`case when is_stream = 1 then first_byte_ms else 0 end`.as("firstByteMs"),
    ])
    .where((builder) => within(kind, builder, { ids }))
    .execute();
}

/** Columns whose values a filter suggests. */
export type SuggestedColumn = "model_name" | "token_name" | "username";

/** The column's different values among the entries in the stretch that the filter leaves. */
export async function listRowValues(
  { kind, db }: OpenDatabase,
  column: SuggestedColumn,
  filter: LogFilter,
  stretch: LogStretch,
): Promise<string[]> {
  const rows = await db
    .selectFrom("logs")
    .select((select) => select.ref(column).as("value"))
    .distinct()
    .where((builder) =>
      builder.and([within(kind, builder, stretch), matches(builder, filter), builder(column, "<>", "")]),
    )
    .execute();
  return rows.map(({ value }) => value);
}

/** A log entry that belongs to no relayed request: it names no token and costs nothing; `quota` is what it gave. Without a user it is the gateway's own. */
export type PlainLog = Pick<Insertable<Tables["logs"]>, "created_at" | "type" | "content"> & {
  /** What the content says, in English, for other languages. It must hold no secret. */
  readonly event: LogEvent;
} & Partial<
    Pick<
      Insertable<Tables["logs"]>,
      | "user_id"
      | "username"
      | "quota"
      | "model_name"
      | "channel_id"
      | "elapsed_time"
      | "request_id"
      | "result"
      | "status_code"
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
} as const;

/** Adds the entry to the log. */
export async function writeLog(queryable: Queryable, { event, ...log }: PlainLog): Promise<void> {
  await queryable
    .insertInto("logs")
    .values({ ...EMPTY_LOG, ...log, detail: JSON.stringify({ event }) })
    .execute();
}

function within(
  kind: OpenDatabase["kind"],
  builder: ExpressionBuilder<Tables, "logs">,
  stretch: LogStretch,
): Expression<SqlBool> {
  if ("ids" in stretch) return among(kind, stretch.ids, sql`id`);
  return builder.and([builder("id", ">", stretch.after), builder("id", "<=", stretch.last)]);
}

function matches(builder: ExpressionBuilder<Tables, "logs">, filter: LogFilter): Expression<SqlBool> {
  const { startTimestamp, endTimestamp } = filter;
  return builder.and([
    builder("hidden", "=", 0),
    ...conditionsOf(filter).map((one) => builder(one.label, one.isNot ? "not in" : "in", one.values)),
    ...(startTimestamp === 0 ? [] : [builder("created_at", ">=", startTimestamp)]),
    ...(endTimestamp === 0 ? [] : [builder("created_at", "<=", endTimestamp)]),
  ]);
}
