import type { OpenDatabase } from "@one-api/database/open-database";
import type { IdStretch } from "../log.repository.ts";
import { BATCHES_PER_BLOCK } from "./log-groups.ts";

/** A batch of the log, see the table `log_batches`. */
export interface Batch {
  readonly batch: number;
  readonly lastId: number;
  readonly newest: number;
  readonly oldestBucket: number;
}

const known = new WeakMap<OpenDatabase, readonly Batch[]>();

/**
 * All batches that are complete, in order. Only new ones are read, with the last that is known: where an entry was removed, its batch and all
 * later ones went with it and are made again, so that the last one is another.
 */
export async function loadBatches(database: OpenDatabase): Promise<readonly Batch[]> {
  const before = known.get(database) ?? [];
  const last = before.at(-1);
  const rows = await readBatches(database, Math.max(1, before.length));
  const isSame = last === undefined || rows[0]?.lastId === last.lastId;
  // Another call may have read more meanwhile, so the array is replaced and never changed.
  const batches = isSame ? [...before, ...rows.slice(last === undefined ? 0 : 1)] : await readBatches(database, 1);
  known.set(database, batches);
  return batches;
}

async function readBatches({ db }: OpenDatabase, first: number): Promise<Batch[]> {
  const rows = await db
    .selectFrom("log_batches")
    .select(["batch", "last_id", "newest", "oldest_bucket"])
    .where("batch", ">=", first)
    .orderBy("batch")
    .execute();
  return rows.map(({ batch, last_id, newest, oldest_bucket }) => ({
    batch,
    lastId: last_id,
    newest,
    oldestBucket: oldest_bucket,
  }));
}

/** Where the entries of a time are. */
export interface LogSpan {
  readonly batches: readonly Batch[];
  /** Entries after this id are in no batch yet. */
  readonly lastId: number;
  /** The buckets that the time holds as a whole, first and last; all that the batches have when there is no bound. */
  readonly firstBucket: number;
  readonly lastBucket: number;
  /** Other buckets that the time holds something of: at most two. */
  readonly cut: readonly number[];
}

/**
 * Divides a time, in Unix seconds with 0 for no bound, into buckets that it holds as a whole and at most two others.
 * A bucket is the time after one batch's `newest` up to the next one's.
 */
export function planSpan(batches: readonly Batch[], start: number, end: number): LogSpan {
  const lastId = lastIdOf(batches, batches.length);
  const first = start === 0 ? 1 : firstWithNewest(batches, start);
  const startIsCut = start !== 0 && first <= batches.length && newestOf(batches, first - 1) + 1 !== start;
  const last = end === 0 ? batches.length : Math.min(firstWithNewest(batches, end), batches.length);
  const endIsCut = end !== 0 && newestOf(batches, last) > end;
  const cut = new Set([...(startIsCut ? [first] : []), ...(endIsCut ? [last] : [])]);
  return {
    batches,
    lastId,
    firstBucket: startIsCut ? first + 1 : first,
    lastBucket: endIsCut ? last - 1 : last,
    cut: [...cut],
  };
}

/** The latest time of all batches up to this one; no batch has the number 0. */
function newestOf(batches: readonly Batch[], batch: number): number {
  return batches[batch - 1]?.newest ?? Number.NEGATIVE_INFINITY;
}

/** The first batch whose `newest` is not before the time; one more than there are when none is. */
export function firstWithNewest(batches: readonly Batch[], time: number): number {
  let low = 1;
  let high = batches.length + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((batches[middle - 1]?.newest ?? 0) >= time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Whether the batch may have entries in buckets that the time holds as a whole. */
export function isInSpan({ firstBucket, lastBucket }: LogSpan, { batch, oldestBucket }: Batch): boolean {
  return batch >= firstBucket && oldestBucket <= lastBucket;
}

/** The blocks all of whose entries are in buckets that the time holds as a whole. */
export function wholeBlocks({ batches, firstBucket, lastBucket }: LogSpan): number[] {
  const blocks: number[] = [];
  for (let block = 1; block * BATCHES_PER_BLOCK <= Math.min(batches.length, lastBucket); block += 1) {
    const inside = batches.slice((block - 1) * BATCHES_PER_BLOCK, block * BATCHES_PER_BLOCK);
    if (inside.every(({ oldestBucket }) => oldestBucket >= firstBucket)) blocks.push(block);
  }
  return blocks;
}

/** The ids among which all entries from before a time are, in Unix seconds: batches that may hold such, and all that is in no batch. */
export function stretchesBefore(batches: readonly Batch[], time: number): IdStretch[] {
  const stretches: { after: number; last: number }[] = [];
  const add = (after: number, last: number) => {
    const before = stretches.at(-1);
    if (before?.last === after) before.last = last;
    else stretches.push({ after, last });
  };
  for (const { batch, lastId, oldestBucket } of batches)
    if (newestOf(batches, oldestBucket - 1) + 1 < time) add(lastIdOf(batches, batch - 1), lastId);
  add(lastIdOf(batches, batches.length), Number.MAX_SAFE_INTEGER);
  return stretches;
}

/** The last id of a batch; 0 before the first one. */
export function lastIdOf(batches: readonly Batch[], batch: number): number {
  return batches[batch - 1]?.lastId ?? 0;
}
