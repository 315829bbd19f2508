import type { OpenDatabase } from "@one-api/database/open-database";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type LogFilter, NO_ERRORS, type ResultTotals, type SuggestedColumn } from "../log.repository.ts";
import { among, LEVEL, VIEW } from "./log-groups.ts";

/** Which groups are meant: the view whose index fits the filter best, by its keys, and what else must be equal. */
export interface GroupQuery {
  readonly keys: RawBuilder<SqlBool>;
  readonly labels: RawBuilder<SqlBool>;
  /** A user's or token's entries of one channel are asked for, which in blocks may stand in `log_channel_groups`. */
  readonly isOfOneChannel: boolean;
}

/** Chooses the groups for a filter; its times are not looked at. Undefined when no entry in a batch can match. */
export async function planGroups({ db }: OpenDatabase, filter: LogFilter): Promise<GroupQuery | undefined> {
  const labels = labelsOf(filter);
  const { tokenName, channelId } = filter;
  if (filter.userId === 0 && filter.username === "") {
    if (tokenName !== "") {
      const keys = sql<SqlBool>`view = ${sql.lit(VIEW.token)} and user_id = 0 and token_name = ${tokenName}`;
      return { keys, labels, isOfOneChannel: channelId !== 0 };
    }
    if (channelId === 0) return { keys: sql`view = ${sql.lit(VIEW.all)}`, labels, isOfOneChannel: false };
    const keys = sql<SqlBool>`view = ${sql.lit(VIEW.channel)} and user_id = 0 and token_name = ''`;
    return { keys, labels, isOfOneChannel: false };
  }
  const userIds = filter.username === "" ? [filter.userId] : await findUserIds(db, filter);
  if (userIds.length === 0) return undefined;
  const keys = sql<SqlBool>`view = ${sql.lit(VIEW.user)} and user_id in (${sql.join(userIds)})`;
  return { keys, labels, isOfOneChannel: channelId !== 0 };
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
  if (filter.result === "errors") all.push(sql`result not in (${sql.join(NO_ERRORS)})`);
  else if (filter.result !== "") all.push(sql`result = ${filter.result}`);
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

/** Batches or blocks, and of batches the buckets, from the first to the last; without, all of them. */
export interface GroupStretch {
  readonly level: number;
  readonly batches: readonly number[];
  readonly buckets?: readonly [first: number, last: number] | undefined;
}

/** Totals of each batch or block that has groups which the query leaves. */
export async function sumGroups(
  { kind, db }: OpenDatabase,
  query: GroupQuery,
  stretch: GroupStretch,
): Promise<readonly GroupTotals[]> {
  const { rows } = await sql<GroupTotals>`
    select batch, sum(entries) as entries, sum(quota) as quota, sum(tokens) as token
    from ${groupsWithin(kind, query, stretch)} group by batch`.execute(db);
  return rows;
}

/** Totals of the groups that the query leaves, by model and result. */
export async function sumGroupsByResult(
  { kind, db }: OpenDatabase,
  query: GroupQuery,
  stretch: GroupStretch,
): Promise<readonly ResultTotals[]> {
  const { rows } = await sql<ResultTotals>`
    select model_name as model, result, sum(entries) as entries, sum(quota) as quota, sum(tokens) as tokens
    from ${groupsWithin(kind, query, stretch)} group by model_name, result`.execute(db);
  return rows;
}

/** How far the ids are from the last one before their batch, with commas; of blocks how far the batches are, see the table `log_groups`. */
export async function readGroupIds(
  { kind, db }: OpenDatabase,
  query: GroupQuery,
  stretch: GroupStretch,
): Promise<readonly { readonly batch: number; readonly ids: string }[]> {
  const { rows } = await sql<{ batch: number; ids: string }>`
    select batch, ids from ${groupsWithin(kind, query, stretch)}`.execute(db);
  return rows;
}

/** The column's different values in the groups that the query leaves. */
export async function listGroupValues(
  { kind, db }: OpenDatabase,
  query: GroupQuery,
  column: SuggestedColumn,
  stretch: GroupStretch,
): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    select distinct ${sql.ref(column)} as value from log_groups where ${within(kind, query, stretch)}`.execute(db);
  return rows.map(({ value }) => value);
}

/** The groups of batches or blocks that the query leaves, with those by channel. */
function groupsWithin(kind: OpenDatabase["kind"], query: GroupQuery, stretch: GroupStretch): RawBuilder<unknown> {
  const groups = sql`log_groups where ${within(kind, query, stretch)}`;
  if (stretch.level === LEVEL.batch || !query.isOfOneChannel) return groups;
  const columns = sql`model_name, result, entries, quota, tokens`;
  return sql`(
    select batch, ${columns}, ids from ${groups}
    union all
    select block, ${columns}, batches from log_channel_groups
    where ${among(kind, stretch.batches, sql`block`)} and ${query.keys} and ${query.labels}
  ) as groups`;
}

function within(
  kind: OpenDatabase["kind"],
  { keys, labels }: GroupQuery,
  { level, batches, buckets }: GroupStretch,
): RawBuilder<SqlBool> {
  const time = buckets === undefined ? sql`` : sql` and bucket between ${buckets[0]} and ${buckets[1]}`;
  return sql`level = ${sql.lit(level)} and ${among(kind, batches)} and ${keys} and ${labels}${time}`;
}
