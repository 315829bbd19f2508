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
  "cost",
] as const;

export type LogRow = Pick<Selectable<Tables["logs"]>, (typeof LOG_COLUMNS)[number]>;

/** Ids greater than `after`, up to and including `last`. */
export interface IdRange {
  readonly after: number;
  readonly last: number;
}

export function listRowsByIds(queryable: Queryable, filter: LogFilter, ids: readonly number[]): Promise<LogRow[]> {
  return queryable
    .selectFrom("logs")
    .select(LOG_COLUMNS)
    .where((builder) => builder.and([builder("id", "in", ids), matches(builder, filter)]))
    .orderBy("id", "desc")
    .execute();
}

export function findRowOfRequest(queryable: Queryable, requestId: string): Promise<LogRow | undefined> {
  return (
    queryable
      .selectFrom("logs")
      .select(LOG_COLUMNS)
      .where("request_id", "=", requestId)
      // Both conditions of the unique index, which is used only if the statement repeats them.
      .where(sql<boolean>`type = ${sql.lit(LOG_TYPE.consumption)} and request_id <> ''`)
      .where("hidden", "=", 0)
      .executeTakeFirst()
  );
}

/** 0 for an empty log. */
export async function findNewestId(queryable: Queryable): Promise<number> {
  const row = await queryable.selectFrom("logs").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  return row?.id ?? 0;
}

export interface FoundRange extends IdRange {
  readonly entries: number;
  readonly oldest: number;
}

export async function findNextRange(queryable: Queryable, { after, last }: IdRange, most: number): Promise<FoundRange> {
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

export async function listIds(queryable: Queryable, filter: LogFilter, { after, last }: IdRange): Promise<number[]> {
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

/**
 * An entry without a relayed request and without cost. `quota` is the quota that was granted. Without a user
 * it is the gateway's.
 */
export type PlainLog = Pick<Insertable<Tables["logs"]>, "created_at" | "type" | "content"> & {
  /** The content in a translatable form. It must not contain secrets. */
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
      | "prompt_tokens"
      | "completion_tokens"
      | "cost"
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
