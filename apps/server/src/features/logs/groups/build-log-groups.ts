import { setImmediate as nextTurn } from "node:timers/promises";
import type { OpenDatabase } from "@one-api/database/open-database";
import { type RawBuilder, sql } from "kysely";
import type { Rest } from "../../../core/pace.ts";
import { inTransaction, type Queryable } from "../../../core/transaction.ts";
import { NewNames } from "./log-names.ts";
import { among, BATCHES_PER_BLOCK, FULL_BATCH, LEVEL, VIEW } from "./log-groups.ts";

/** Whoever makes a batch on PostgreSQL holds this advisory lock; what removes an entry waits for it (migration `log-removals`). */
const ADVISORY_LOCK = 0x6c6f6773;
/** Every sixteenth batch of a block tells how its groups are spread, and where to divide them: all would take 0.4 µs an entry. */
const SAMPLED_BATCHES = 16;
/** So many groups of these batches, in the order of their keys, stand for the keys whose blocks one statement makes: a few ms of work. */
const SAMPLED_GROUPS_PER_STEP = 100;
/** A user or token's name with more groups in a block is added up without channels, too; what has fewer is looked through at little cost. */
const MANY_GROUPS = 128;
/** How many it has is counted in every eighth batch: both ways are exact. */
const COUNTED_BATCHES = 8;

/** A stretch of ids that becomes a batch. */
interface NewBatch {
  readonly batch: number;
  /** The last id before it. */
  readonly after: number;
  readonly last: number;
  /** The latest time of the batches before it. */
  readonly newestBefore: number;
  readonly newest: number;
  /** The earliest time of its entries, hidden ones too: they are cleared by it. */
  readonly oldest: number;
}

interface BuildOptions {
  readonly entries?: number;
  /** Between statements on SQLite; on PostgreSQL, where others may wait for the transaction, and by default, who waits in this process has a turn. */
  readonly rest?: Rest;
}

/** What makes a batch. */
interface Work extends Pick<OpenDatabase, "kind"> {
  readonly db: Queryable;
  readonly rest: Rest;
  readonly names: NewNames;
}

/**
 * Groups the next entries after the last batch, up to an id below which nothing is written any more (see `findSettledId`), and adds up a block
 * when it is full. Returns false when fewer entries are there. A batch counts once its row in `log_batches` is there, which is written last: what a
 * stopped process left half done is thrown away and made again. On SQLite each statement, a few ms of work, commits by itself, so that
 * relayed requests commit in between; on PostgreSQL all is one transaction, and of several processes one at a time does it.
 */
export async function buildNextBatch(
  database: OpenDatabase,
  settledId: number,
  { entries = FULL_BATCH, rest = nextTurn }: BuildOptions = {},
): Promise<boolean> {
  const { kind } = database;
  const names = new NewNames(database);
  const isBuilt = await (kind === "sqlite"
    ? build({ kind, db: database.db, rest, names }, settledId, entries)
    : inTransaction(database, async (db) => {
        const { rows } = await sql<{ mine: boolean }>`
          select pg_try_advisory_xact_lock(${ADVISORY_LOCK}) as mine`.execute(db);
        return rows[0]?.mine === true && build({ kind, db, rest: nextTurn, names }, settledId, entries);
      }));
  if (isBuilt) names.keep();
  return isBuilt;
}

async function build(work: Work, settledId: number, entries: number): Promise<boolean> {
  const { db, rest, names } = work;
  const next = await findNextBatch(db, settledId, entries);
  if (next === undefined) return false;
  await removeUnfinished(db, LEVEL.batch, next.batch);
  // What tells most apart is made of the entries, the rest of the groups before it: they are fewer, and entries are long.
  for (const statement of [
    groupsOfEntries(next),
    groupsOfGroups(next, VIEW.user, VIEW.token),
    groupsOfGroups(next, VIEW.token, VIEW.channel),
    groupsOfGroups(next, VIEW.channel, VIEW.all),
  ]) {
    await statement.execute(db);
    await rest();
  }
  await names.add(db, next.batch, rest);
  if (next.batch % BATCHES_PER_BLOCK === 0) await buildBlock(work, next);
  return finishBatch(db, next);
}

/**
 * Makes the batch count, unless an entry is gone that the first view was made of, or the batch before went with one of its own: batches follow
 * each other without a gap. Both can only happen on SQLite.
 */
async function finishBatch(db: Queryable, next: NewBatch): Promise<boolean> {
  const { rows } = await sql<{ batch: number }>`
    insert into log_batches (batch, last_id, newest, oldest_bucket)
    select cast(${next.batch} as integer), cast(${next.last} as bigint), cast(${next.newest} as bigint), ${bucketOf(next, sql`cast(${next.oldest} as bigint)`)}
    where (select count(*) from logs where id > ${next.after} and id <= ${next.last} and hidden = 0) = (
      select coalesce(sum(entries), 0) from log_groups
      where level = ${sql.lit(LEVEL.batch)} and batch = ${next.batch} and view = ${sql.lit(VIEW.all)})
      and (select coalesce(max(batch), 0) from log_batches) = ${next.batch - 1}
    returning batch`.execute(db);
  return rows.length === 1;
}

async function findNextBatch(db: Queryable, settledId: number, entries: number): Promise<NewBatch | undefined> {
  const before = await db
    .selectFrom("log_batches")
    .select(["batch", "last_id", "newest"])
    .orderBy("batch", "desc")
    .limit(1)
    .executeTakeFirst();
  const after = before?.last_id ?? 0;
  const { rows } = await sql<{ entries: number; last: number; newest: number; oldest: number }>`
    select count(*) as entries, max(id) as last, max(created_at) as newest, min(created_at) as oldest from (
      select id, created_at from logs where id > ${after} and id <= ${settledId} order by id limit ${entries}
    ) as next_entries`.execute(db);
  const next = rows[0];
  if (next === undefined || next.entries < entries) return undefined;
  const newestBefore = before?.newest ?? -1;
  const newest = Math.max(newestBefore, next.newest);
  return { batch: (before?.batch ?? 0) + 1, after, last: next.last, newestBefore, newest, oldest: next.oldest };
}

async function removeUnfinished(db: Queryable, level: number, batch: number): Promise<void> {
  await db.deleteFrom("log_groups").where("level", "=", level).where("batch", "=", batch).execute();
}

const GROUP_COLUMNS = sql`level, batch, view, user_id, username, token_name, model_name, channel_id, type, result, bucket, entries, quota, tokens, ids`;
const NO_NUMBER = sql`cast(0 as integer)`;
const NO_TEXT = sql`cast('' as text)`;

/**
 * The bucket of a time of the batch's entries: the first batch whose `newest` is not before it; this one, or an earlier one for what took long. Of many
 * calls most came in the second that the batch before ended in, whose bucket is the same for all of them.
 */
function bucketOf({ batch, newestBefore }: NewBatch, time: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${time} > ${newestBefore} then cast(${batch} as integer)
    when ${time} = ${newestBefore} then (select min(batch) from log_batches where newest = ${newestBefore})
    else (select batch from log_batches where newest >= ${time} order by newest, batch limit 1) end`;
}

/** The groups of entries by user and token. */
function groupsOfEntries(next: NewBatch): RawBuilder<unknown> {
  const { batch, after, last } = next;
  return sql`
    insert into log_groups (${GROUP_COLUMNS})
    select ${sql.lit(LEVEL.batch)}, cast(${batch} as integer), ${sql.lit(VIEW.user)}, user_id, username, token_name, model_name, channel_id, type, result, b,
      count(*), sum(quota), sum(prompt_tokens + completion_tokens), string_agg(cast(id - cast(${after} as bigint) as text), ',')
    from (
      select id, user_id, username, token_name, model_name, channel_id, type, result, quota, prompt_tokens, completion_tokens,
        ${bucketOf(next, sql`logs.created_at`)} as b
      from logs where id > ${after} and id <= ${last} and hidden = 0
    ) as entries
    group by user_id, username, token_name, model_name, channel_id, type, result, b`;
}

/** The groups of a view that tells less apart, made of those of another. */
function groupsOfGroups({ batch }: NewBatch, from: number, view: number): RawBuilder<unknown> {
  const token = view === VIEW.token ? sql`token_name` : NO_TEXT;
  const channel = view === VIEW.all ? NO_NUMBER : sql`channel_id`;
  return sql`
    insert into log_groups (${GROUP_COLUMNS})
    select ${sql.lit(LEVEL.batch)}, cast(${batch} as integer), ${sql.lit(view)}, ${NO_NUMBER}, ${NO_TEXT}, t, model_name, c, type, result, bucket,
      sum(entries), sum(quota), sum(tokens), string_agg(ids, ',')
    from (
      select ${token} as t, ${channel} as c, model_name, type, result, bucket, entries, quota, tokens, ids from log_groups
      where level = ${sql.lit(LEVEL.batch)} and batch = ${batch} and view = ${sql.lit(from)}
    ) as groups
    group by t, c, model_name, type, result, bucket`;
}

/** Groups of a block's batches. */
interface GroupsOfBlock extends Work {
  readonly block: number;
  readonly keys: RawBuilder<unknown>;
}

const USER = sql`user_id`;
const TOKEN = sql`token_name`;
const CHANNEL = sql`channel_id`;

/** Adds up a block of batches, some channels, users or tokens at a time. */
async function buildBlock(work: Work, { batch }: NewBatch): Promise<void> {
  const block = batch / BATCHES_PER_BLOCK;
  await removeUnfinished(work.db, LEVEL.block, block);
  await work.db.deleteFrom("log_channel_groups").where("block", "=", block).execute();
  const of = (keys: RawBuilder<unknown>): GroupsOfBlock => ({ ...work, block, keys });
  await addUp(of(sql`view = ${sql.lit(VIEW.all)}`), NO_NUMBER);
  const channels = of(sql`view = ${sql.lit(VIEW.channel)} and user_id = 0 and token_name = ''`);
  for await (const some of inSteps(channels, CHANNEL)) await addUp(some, CHANNEL);
  for await (const some of inSteps(of(sql`view = ${sql.lit(VIEW.user)}`), USER)) await addUpByKey(some, USER);
  const tokens = of(sql`view = ${sql.lit(VIEW.token)} and user_id = 0`);
  for await (const some of inSteps(tokens, TOKEN)) await addUpByKey(some, TOKEN);
}

/** Where the groups are, in every so many of the block's batches, its last among them. */
function whereGroupsAre({ kind, block, keys }: GroupsOfBlock, every = 1): RawBuilder<unknown> {
  const batches = Array.from(
    { length: BATCHES_PER_BLOCK / every },
    (_, index) => block * BATCHES_PER_BLOCK - index * every,
  );
  return sql`log_groups where level = ${sql.lit(LEVEL.batch)} and ${among(kind, batches)} and ${keys}`;
}

/**
 * Divides groups by a column into parts of a few ms of work, by how those of some batches are spread: whoever calls in the block's last batch may be
 * others than in its first. The database says where to divide, as it alone knows its order of texts.
 */
async function* inSteps(groups: GroupsOfBlock, column: RawBuilder<unknown>): AsyncGenerator<GroupsOfBlock> {
  const { db, rest } = groups;
  const { rows } = await sql<{ key: string | number }>`
    select key from (
      select ${column} as key, row_number() over (order by ${column}) as place from ${whereGroupsAre(groups, SAMPLED_BATCHES)}
    ) as sampled where place % ${sql.lit(SAMPLED_GROUPS_PER_STEP)} = 0 order by place`.execute(db);
  await rest();
  const bounds = [...new Set(rows.map(({ key }) => key))];
  for (const [index, bound] of [...bounds, undefined].entries()) {
    const before = bounds[index - 1];
    const above = before === undefined ? sql`` : sql`and ${column} > ${before}`;
    const below = bound === undefined ? sql`` : sql`and ${column} <= ${bound}`;
    yield { ...groups, keys: sql`${groups.keys} ${above} ${below}` };
  }
}

/**
 * Adds up groups of users or names of tokens, `key`. Those with few groups keep their channels; the others are added up without channels, and by
 * channel in `log_channel_groups`: so a block has few groups for a key, and few for a key and a channel.
 */
async function addUpByKey(groups: GroupsOfBlock, key: RawBuilder<unknown>): Promise<void> {
  const { db, rest } = groups;
  const { rows } = await sql<{ key: string | number }>`
    select ${key} as key from ${whereGroupsAre(groups, COUNTED_BATCHES)}
    group by ${key} having count(*) > ${sql.lit(MANY_GROUPS / COUNTED_BATCHES)}`.execute(db);
  await rest();
  if (rows.length === 0) return addUp(groups, CHANNEL);
  const many = sql`(${sql.join(rows.map((row) => row.key))})`;
  await addUp({ ...groups, keys: sql`${groups.keys} and ${key} not in ${many}` }, CHANNEL);
  const groupsOfMany = { ...groups, keys: sql`${groups.keys} and ${key} in ${many}` };
  await addUp(groupsOfMany, NO_NUMBER);
  for await (const some of inSteps(groupsOfMany, CHANNEL)) await addUpByChannel(some);
}

async function addUp(groups: GroupsOfBlock, channel: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into log_groups (${GROUP_COLUMNS})
    select ${sql.lit(LEVEL.block)}, cast(${groups.block} as integer), view, user_id, username, token_name, model_name, ${channel}, type, result,
      ${NO_NUMBER}, sum(entries), sum(quota), sum(tokens), ${channel === CHANNEL ? batchesOf(groups) : NO_TEXT}
    from ${whereGroupsAre(groups)} group by view, user_id, token_name, ${channel}, username, model_name, type, result`.execute(
    groups.db,
  );
  await groups.rest();
}

async function addUpByChannel(groups: GroupsOfBlock): Promise<void> {
  const labels = sql`view, user_id, channel_id, token_name, username, model_name, type, result`;
  await sql`
    insert into log_channel_groups (block, ${labels}, entries, quota, tokens, batches)
    select cast(${groups.block} as integer), ${labels}, sum(entries), sum(quota), sum(tokens), ${batchesOf(groups)}
    from ${whereGroupsAre(groups)} group by ${labels}`.execute(groups.db);
  await groups.rest();
}

function batchesOf({ block }: GroupsOfBlock): RawBuilder<unknown> {
  return sql`string_agg(cast(batch - cast(${(block - 1) * BATCHES_PER_BLOCK} as bigint) as text), ',')`;
}
