import { LOG_TYPE } from "@one-api/contract/logs/log";
import type { LogEvent } from "@one-api/contract/logs/log-event";
import type { Tables } from "@one-api/database/tables";
import { type Expression, type ExpressionBuilder, type Insertable, type Selectable, type SqlBool, sql } from "kysely";
import type { Queryable } from "../../core/transaction.ts";
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

/** Ids after the first one and up to the last. */
export interface IdStretch {
  readonly after: number;
  readonly last: number;
}

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

/** Consecutive entries of the log. */
export interface FoundStretch extends IdStretch {
  readonly entries: number;
  /** The earliest time among them, in Unix seconds. */
  readonly oldest: number;
}

/** The next entries in the stretch, at most so many. */
export async function findNextStretch(
  queryable: Queryable,
  { after, last }: IdStretch,
  most: number,
): Promise<FoundStretch> {
  const { rows } = await sql<{ entries: number; last: number | null; oldest: number | null }>`
    select count(*) as entries, max(id) as last, min(created_at) as oldest from (
      select id, created_at from logs where id > ${after} and id <= ${last} order by id limit ${most}) as next_entries`.execute(
    queryable,
  );
  const [row] = rows;
  return {
    after,
    last: row?.last ?? after,
    entries: row?.entries ?? 0,
    oldest: row?.oldest ?? Number.POSITIVE_INFINITY,
  };
}

/** The ids of the entries in the stretch that the filter leaves, newest first. */
export async function listIds(queryable: Queryable, filter: LogFilter, { after, last }: IdStretch): Promise<number[]> {
  const rows = await queryable
    .selectFrom("logs")
    .select("id")
    .where("id", ">", after)
    .where("id", "<=", last)
    .where((builder) => matches(builder, filter))
    .orderBy("id", "desc")
    .execute();
  return rows.map(({ id }) => id);
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

function matches(builder: ExpressionBuilder<Tables, "logs">, filter: LogFilter): Expression<SqlBool> {
  const { startTimestamp, endTimestamp } = filter;
  return builder.and([
    builder("hidden", "=", 0),
    ...conditionsOf(filter).map((one) => builder(one.column, one.isNot ? "not in" : "in", one.values)),
    ...(startTimestamp === 0 ? [] : [builder("created_at", ">=", startTimestamp)]),
    ...(endTimestamp === 0 ? [] : [builder("created_at", "<=", endTimestamp)]),
  ]);
}
