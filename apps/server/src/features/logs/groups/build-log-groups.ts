import { setImmediate as nextTurn } from "node:timers/promises";
import type { OpenDatabase } from "@one-api/database/open-database";
import { type RawBuilder, sql } from "kysely";
import type { Rest } from "../../../core/work/pace.ts";
import { inTransaction, type Queryable } from "../../../core/transaction.ts";
import { buildBlock } from "./build-log-block.ts";
import { GroupSums } from "./group-sums.ts";
import { removeGroups, saveGroups } from "./group-texts.repository.ts";
import { NewNames } from "./log-names.ts";
import type { LogLabels } from "../log-filter.ts";
import { BATCHES_PER_BLOCK, FULL_BATCH, LEVEL, type LogGroup, type View, VIEW } from "./log-groups.ts";
import { type Batch, firstWithNewest, loadBatches } from "./log-span.ts";

/** Whoever makes a batch on PostgreSQL holds this advisory lock; what removes an entry waits for it (migration `log-removals`). */
const ADVISORY_LOCK = 0x6c6f6773;

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
interface Work {
  readonly database: OpenDatabase;
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
  const names = new NewNames(database);
  const isBuilt = await (database.kind === "sqlite"
    ? build({ database, db: database.db, rest, names }, settledId, entries)
    : inTransaction(database, async (db) => {
        const { rows } = await sql<{ mine: boolean }>`
          select pg_try_advisory_xact_lock(${ADVISORY_LOCK}) as mine`.execute(db);
        return rows[0]?.mine === true && build({ database, db, rest: nextTurn, names }, settledId, entries);
      }));
  if (isBuilt) names.keep();
  return isBuilt;
}

async function build(work: Work, settledId: number, entries: number): Promise<boolean> {
  const { database, db, rest, names } = work;
  const next = await findNextBatch(db, settledId, entries);
  if (next === undefined) return false;
  const bucketOf = createBuckets(next, await loadBatches(database));
  const save = async (view: View, groups: readonly LogGroup[]) => {
    await saveGroups(db, { level: LEVEL.batch, view, batch: next.batch }, groups);
    await rest();
  };
  await removeGroups(db, LEVEL.batch, next.batch);
  const entriesOfBatch = await readEntries(database.kind, db, next);
  await rest();
  const users = groupEntries(entriesOfBatch, next, bucketOf);
  await save(VIEW.user, users);
  // Each view is made of the groups of the one that tells more apart: they are fewer.
  const tokens = groupAgain(users, { user_id: 0, username: "" }, "token_name");
  await save(VIEW.token, tokens);
  const channels = groupAgain(tokens, { token_name: "" }, "channel_id");
  await save(VIEW.channel, channels);
  const all = groupAgain(channels, { channel_id: 0 }, "model_name");
  await save(VIEW.all, all);
  await names.add(db, { username: users, token_name: tokens, model_name: all }, rest);
  if (next.batch % BATCHES_PER_BLOCK === 0)
    await buildBlock({ kind: database.kind, db, rest }, next.batch / BATCHES_PER_BLOCK);
  const counted = all.reduce((total, group) => total + group.entries, 0);
  return finishBatch(db, next, bucketOf(next.oldest), counted);
}

/**
 * Makes the batch count, unless an entry is gone that its groups were made of, or the batch before went with one of its own: batches follow
 * each other without a gap. Both can only happen on SQLite.
 */
async function finishBatch(db: Queryable, next: NewBatch, oldestBucket: number, entries: number): Promise<boolean> {
  const { rows } = await sql<{ batch: number }>`
    insert into log_batches (batch, last_id, newest, oldest_bucket)
    select cast(${next.batch} as integer), cast(${next.last} as bigint), cast(${next.newest} as bigint), cast(${oldestBucket} as bigint)
    where (select count(*) from logs where id > ${next.after} and id <= ${next.last} and hidden = 0) = ${entries}
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

/** The bucket of a time of the batch's entries: the first batch whose `newest` is not before it; this one, or an earlier one for what took long. */
function createBuckets({ batch, newestBefore }: NewBatch, batches: readonly Batch[]): (time: number) => number {
  const before = batches.slice(0, batch - 1);
  const known = new Map<number, number>();
  return (time) => {
    if (time > newestBefore) return batch;
    // Of many calls most came in a few seconds.
    const bucket = known.get(time) ?? firstWithNewest(before, time);
    known.set(time, bucket);
    return bucket;
  };
}

/** Columns of entries, each as one list: as JSON, which takes a fraction of what rows with as many columns do. */
interface Entries {
  readonly ids: readonly number[];
  readonly userIds: readonly number[];
  readonly usernames: readonly string[];
  readonly tokenNames: readonly string[];
  readonly models: readonly string[];
  readonly channelIds: readonly number[];
  readonly types: readonly number[];
  readonly results: readonly string[];
  readonly times: readonly number[];
  readonly quotas: readonly number[];
  readonly tokens: readonly number[];
}

async function readEntries(
  kind: OpenDatabase["kind"],
  db: Queryable,
  { after, last }: Pick<NewBatch, "after" | "last">,
): Promise<Entries> {
  const list = (of: RawBuilder<unknown>) =>
    kind === "sqlite" ? sql`json_group_array(${of})` : sql`cast(json_agg(${of}) as text)`;
  const { rows } = await sql<Partial<Record<keyof Entries, string | null>>>`
    select ${list(sql`id`)} as ids, ${list(sql`user_id`)} as "userIds", ${list(sql`username`)} as usernames,
      ${list(sql`token_name`)} as "tokenNames", ${list(sql`model_name`)} as models, ${list(sql`channel_id`)} as "channelIds",
      ${list(sql`type`)} as types, ${list(sql`result`)} as results, ${list(sql`created_at`)} as times, ${list(sql`quota`)} as quotas,
      ${list(sql`prompt_tokens + completion_tokens`)} as tokens
    from logs where id > ${after} and id <= ${last} and hidden = 0`.execute(db);
  const columns = rows[0] ?? {};
  return {
    ids: listOf(columns.ids).map(Number),
    userIds: listOf(columns.userIds).map(Number),
    usernames: listOf(columns.usernames).map(String),
    tokenNames: listOf(columns.tokenNames).map(String),
    models: listOf(columns.models).map(String),
    channelIds: listOf(columns.channelIds).map(Number),
    types: listOf(columns.types).map(Number),
    results: listOf(columns.results).map(String),
    times: listOf(columns.times).map(Number),
    quotas: listOf(columns.quotas).map(Number),
    tokens: listOf(columns.tokens).map(Number),
  };
}

function listOf(text: string | null | undefined): readonly unknown[] {
  const list: unknown = JSON.parse(text ?? "[]");
  return Array.isArray(list) ? list : [];
}

/** The groups of entries by user and token, with their channels. */
function groupEntries(entries: Entries, { after }: NewBatch, bucketOf: (time: number) => number): readonly LogGroup[] {
  const sums = new GroupSums("user_id");
  for (const [index, id] of entries.ids.entries()) {
    sums.add(
      {
        user_id: entries.userIds[index] ?? 0,
        username: entries.usernames[index] ?? "",
        token_name: entries.tokenNames[index] ?? "",
        model_name: entries.models[index] ?? "",
        channel_id: entries.channelIds[index] ?? 0,
        type: entries.types[index] ?? 0,
        result: entries.results[index] ?? "",
      },
      {
        bucket: bucketOf(entries.times[index] ?? 0),
        entries: 1,
        quota: entries.quotas[index] ?? 0,
        tokens: entries.tokens[index] ?? 0,
      },
      String(id - after),
    );
  }
  return sums.groups;
}

/** The groups of a view that does not tell some labels apart; `label` is what tells most of them apart. */
function groupAgain(
  groups: readonly LogGroup[],
  without: Partial<LogLabels>,
  label: keyof LogLabels,
): readonly LogGroup[] {
  const sums = new GroupSums(label);
  for (const group of groups) sums.add({ ...group, ...without }, group, group.ids);
  return sums.groups;
}
