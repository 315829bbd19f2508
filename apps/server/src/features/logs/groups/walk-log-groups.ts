import { setImmediate as nextTurn } from "node:timers/promises";
import type { OpenDatabase } from "@one-api/database/open-database";
import { type Buckets, type GroupQuery, type GroupTotals, sumBatches, sumBlocks } from "./log-groups.repository.ts";
import { BATCHES_PER_BLOCK } from "./log-groups.ts";
import { isInSpan, type LogSpan, wholeBlocks } from "./log-span.ts";

/** Batches that one statement looks at: a few ms of work on SQLite, which works in this very thread. */
export const BATCHES_PER_STATEMENT = 512;

/** A batch or block, with the totals of those of its entries that a query leaves. */
export interface Part extends GroupTotals {
  readonly isBlock: boolean;
}

/** The buckets to ask for; undefined when every bucket of the batches is meant. */
export function bucketsOf({ batches, firstBucket, lastBucket }: LogSpan): Buckets {
  return firstBucket <= 1 && lastBucket >= batches.length ? undefined : [firstBucket, lastBucket];
}

/**
 * Walks through what the span holds as a whole, newest first: blocks where they have totals for the query, batches elsewhere; those without
 * matching entries are left out. `last` is the last batch that is wanted.
 */
export async function* walkGroups(
  database: OpenDatabase,
  query: GroupQuery,
  span: LogSpan,
  last = span.batches.length,
): AsyncGenerator<Part> {
  const whole = query.hasBlocks ? wholeBlocks(span).filter((block) => block * BATCHES_PER_BLOCK <= last) : [];
  const totals = new Map((await sumBlocks(database, query, whole)).map((row) => [row.batch, row]));
  const covered = new Set(query.isSparse ? totals.keys() : whole);
  let waiting: number[] = [];
  for (let batch = last; batch >= 1; batch -= 1) {
    const block = Math.ceil(batch / BATCHES_PER_BLOCK);
    if (covered.has(block)) {
      yield* sumWaiting(waiting);
      waiting = [];
      const row = totals.get(block);
      if (row !== undefined && row.entries > 0) yield { ...row, isBlock: true };
      batch = (block - 1) * BATCHES_PER_BLOCK + 1;
      continue;
    }
    const row = span.batches[batch - 1];
    if (row !== undefined && isInSpan(span, row)) waiting.push(batch);
    if (waiting.length < BATCHES_PER_STATEMENT) continue;
    yield* sumWaiting(waiting);
    waiting = [];
  }
  yield* sumWaiting(waiting);

  async function* sumWaiting(batches: readonly number[]): AsyncGenerator<Part> {
    if (batches.length === 0) return;
    const rows = await sumBatches(database, query, batches, bucketsOf(span));
    for (const row of [...rows].sort((left, right) => right.batch - left.batch)) yield { ...row, isBlock: false };
    await nextTurn();
  }
}
