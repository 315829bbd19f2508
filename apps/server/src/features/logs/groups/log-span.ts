import type { OpenDatabase } from "@one-api/database/open-database";
import type { LogStretch } from "../log.repository.ts";
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
  /** What the time holds of other buckets. */
  readonly cut: readonly LogStretch[];
}

/**
 * Divides a time, in Unix seconds with 0 for no bound, into buckets that it holds as a whole and stretches of time of at most two others.
 * A bucket is the time after one batch's `newest` up to the next one's.
 */
export function planSpan(batches: readonly Batch[], start: number, end: number): LogSpan {
  const lastId = batches.at(-1)?.lastId ?? 0;
  const newestOf = (batch: number) => batches[batch - 1]?.newest ?? Number.NEGATIVE_INFINITY;
  const first = start === 0 ? 1 : firstWithNewest(batches, start);
  const startIsCut = start !== 0 && first <= batches.length && newestOf(first - 1) + 1 !== start;
  const last = end === 0 ? batches.length : Math.min(firstWithNewest(batches, end), batches.length);
  const endIsCut = end !== 0 && newestOf(last) > end;
  const cut: LogStretch[] = [];
  if (startIsCut) cut.push({ from: start, to: endIsCut && first === last ? end : newestOf(first), last: lastId });
  if (endIsCut && !(startIsCut && first === last)) cut.push({ from: newestOf(last - 1) + 1, to: end, last: lastId });
  return {
    batches,
    lastId,
    firstBucket: startIsCut ? first + 1 : first,
    lastBucket: endIsCut ? last - 1 : last,
    cut: cut.map((stretch) => ("from" in stretch ? { ...stretch, from: Math.max(0, stretch.from, start) } : stretch)),
  };
}

/** The first batch whose `newest` is not before the time; one more than there are when none is. */
function firstWithNewest(batches: readonly Batch[], time: number): number {
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
