import type { OpenDatabase } from "@one-api/database/open-database";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { LogFilter, SuggestedColumn } from "../log.repository.ts";
import { amongBatches, LEVEL, VIEW } from "./log-groups.ts";

/** Which groups are meant: the view whose index fits the filter best, by its keys, and what else must be equal. */
export interface GroupQuery {
  readonly keys: RawBuilder<SqlBool>;
  readonly labels: RawBuilder<SqlBool>;
  /** Whether blocks may have no totals for the keys although the batches have some. */
  readonly isSparse: boolean;
  /** False when several keys are meant, of which blocks may have totals for some only. */
  readonly hasBlocks: boolean;
}

/** Chooses the groups for a filter; its times are not looked at. Undefined when no entry in a batch can match. */
export async function planGroups({ db }: OpenDatabase, filter: LogFilter): Promise<GroupQuery | undefined> {
  const labels = labelsOf(filter);
  if (filter.userId === 0 && filter.username === "") {
    const isAll = filter.tokenName === "";
    const keys = isAll
      ? sql<SqlBool>`view = ${sql.lit(VIEW.all)}`
      : sql<SqlBool>`view = ${sql.lit(VIEW.token)} and user_id = 0 and token_name = ${filter.tokenName}`;
    return { keys, labels, isSparse: !isAll, hasBlocks: true };
  }
  const userIds = filter.username === "" ? [filter.userId] : await findUserIds(db, filter);
  if (userIds.length === 0) return undefined;
  const keys = sql<SqlBool>`view = ${sql.lit(VIEW.user)} and user_id in (${sql.join(userIds)})`;
  return { keys, labels, isSparse: true, hasBlocks: userIds.length === 1 };
}

/** Who has entries under the name; a name may have had several owners. */
async function findUserIds(db: OpenDatabase["db"], { username, userId }: LogFilter): Promise<number[]> {
  const rows = await db
    .selectFrom("log_names")
    .select("user_id")
    .where("kind", "=", "username")
    .where("name", "=", username)
    .execute();
  return rows.map(({ user_id }) => user_id).filter((id) => userId === 0 || id === userId);
}

function labelsOf(filter: LogFilter): RawBuilder<SqlBool> {
  const all: RawBuilder<SqlBool>[] = [];
  if (filter.username !== "") all.push(sql`username = ${filter.username}`);
  if (filter.tokenName !== "") all.push(sql`token_name = ${filter.tokenName}`);
  if (filter.modelName !== "") all.push(sql`model_name = ${filter.modelName}`);
  if (filter.channelId !== 0) all.push(sql`channel_id = ${filter.channelId}`);
  if (filter.result !== "") all.push(sql`result = ${filter.result}`);
  if (filter.type !== 0) all.push(sql`type = ${filter.type}`);
  return all.length === 0 ? sql`1 = 1` : sql.join(all, sql` and `);
}

/** Totals of the groups of one batch or block that the query leaves. */
export interface GroupTotals {
  readonly batch: number;
  readonly entries: number;
  readonly quota: number;
  readonly token: number;
}

/** Totals of each block that has any for the query's keys. */
export async function sumBlocks(
  { kind, db }: OpenDatabase,
  { keys, labels }: GroupQuery,
  blocks: readonly number[],
): Promise<readonly GroupTotals[]> {
  const { rows } = await sql<GroupTotals>`
    select batch, sum(case when ${labels} then entries else 0 end) as entries, sum(case when ${labels} then quota else 0 end) as quota,
      sum(case when ${labels} then tokens else 0 end) as token
    from log_groups where level = ${sql.lit(LEVEL.block)} and ${amongBatches(kind, blocks)} and ${keys} group by batch`.execute(
    db,
  );
  return rows;
}

/** First and last bucket; undefined for all. */
export type Buckets = readonly [first: number, last: number] | undefined;

/** Totals of each batch that has groups which the query leaves. */
export async function sumBatches(
  { kind, db }: OpenDatabase,
  query: GroupQuery,
  batches: readonly number[],
  buckets: Buckets,
): Promise<readonly GroupTotals[]> {
  const { rows } = await sql<GroupTotals>`
    select batch, sum(entries) as entries, sum(quota) as quota, sum(tokens) as token
    from log_groups where ${inBatches(kind, query, batches, buckets)} group by batch`.execute(db);
  return rows;
}

/** How far the ids are from the last one before their batch, with commas. */
export async function readGroupIds(
  { kind, db }: OpenDatabase,
  query: GroupQuery,
  batches: readonly number[],
  buckets: Buckets,
): Promise<readonly { readonly batch: number; readonly ids: string }[]> {
  const { rows } = await sql<{ batch: number; ids: string }>`
    select batch, ids from log_groups where ${inBatches(kind, query, batches, buckets)}`.execute(db);
  return rows;
}

/** The column's different values in batches or blocks, for each of them. */
export async function listGroupValues(
  { kind, db }: OpenDatabase,
  { keys }: GroupQuery,
  column: SuggestedColumn,
  level: number,
  batches: readonly number[],
): Promise<readonly { readonly batch: number; readonly value: string }[]> {
  const { rows } = await sql<{ batch: number; value: string }>`
    select distinct batch, ${sql.ref(column)} as value
    from log_groups where level = ${sql.lit(level)} and ${amongBatches(kind, batches)} and ${keys}`.execute(db);
  return rows;
}

function inBatches(
  kind: OpenDatabase["kind"],
  { keys, labels }: GroupQuery,
  batches: readonly number[],
  buckets: Buckets,
): RawBuilder<SqlBool> {
  const time = buckets === undefined ? sql`` : sql` and bucket between ${buckets[0]} and ${buckets[1]}`;
  return sql`level = ${sql.lit(LEVEL.batch)} and ${amongBatches(kind, batches)} and ${keys} and ${labels}${time}`;
}
