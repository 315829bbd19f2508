import { setImmediate as nextTurn } from "node:timers/promises";
import type { OpenDatabase } from "@one-api/database/open-database";
import {
  type GroupQuery,
  type GroupStretch,
  type GroupTotals,
  readGroupIds,
  sumGroups,
} from "./log-groups.repository.ts";
import { BATCHES_PER_BLOCK, LEVEL } from "./log-groups.ts";
import { isInSpan, type LogSpan, wholeBlocks } from "./log-span.ts";

/** So many batches are looked through before what was found in them is told. */
const BATCHES_AT_ONCE = 128;

/** A batch or block, with the totals of those of its entries that a query leaves. */
export interface Part extends GroupTotals {
  readonly isBlock: boolean;
}

/** The buckets to ask for; undefined when every bucket of the batches is meant. */
export function bucketsOf({ batches, firstBucket, lastBucket }: LogSpan): GroupStretch["buckets"] {
  return firstBucket <= 1 && lastBucket >= batches.length ? undefined : [firstBucket, lastBucket];
}

/**
 * Walks through what the span holds as a whole, newest first: blocks where they are whole, batches elsewhere; those without matching entries
 * are left out. `last` is the last batch that is wanted.
 */
export async function* walkGroups(
  database: OpenDatabase,
  query: GroupQuery,
  span: LogSpan,
  last = span.batches.length,
): AsyncGenerator<Part> {
  const blocks = wholeBlocks(span).filter((block) => block * BATCHES_PER_BLOCK <= last);
  const sums = await sumGroups(database, query, { level: LEVEL.block, batches: blocks });
  const totals = new Map(sums.map((row) => [row.batch, row]));
  await nextTurn();
  const whole = new Set(blocks);
  let waiting: number[] = [];
  for (let batch = last; batch >= 1; batch -= 1) {
    const block = Math.ceil(batch / BATCHES_PER_BLOCK);
    if (whole.has(block)) {
      yield* sumBatches(database, query, span, waiting);
      waiting = [];
      const row = totals.get(block);
      if (row !== undefined && row.entries > 0) yield { ...row, isBlock: true };
      batch = (block - 1) * BATCHES_PER_BLOCK + 1;
      continue;
    }
    const row = span.batches[batch - 1];
    if (row !== undefined && isInSpan(span, row)) waiting.push(batch);
    if (waiting.length < BATCHES_AT_ONCE) continue;
    yield* sumBatches(database, query, span, waiting);
    waiting = [];
  }
  yield* sumBatches(database, query, span, waiting);
}

async function* sumBatches(
  database: OpenDatabase,
  query: GroupQuery,
  span: LogSpan,
  batches: readonly number[],
): AsyncGenerator<Part> {
  if (batches.length === 0) return;
  const rows = await sumGroups(database, query, { level: LEVEL.batch, batches, buckets: bucketsOf(span) });
  for (const row of rows.toSorted((left, right) => right.batch - left.batch)) yield { ...row, isBlock: false };
  await nextTurn();
}

/** The batches of a block that have entries which the query leaves, newest first. */
export async function takeApart(database: OpenDatabase, query: GroupQuery, part: Part): Promise<Part[]> {
  const rows = await sumGroups(database, query, {
    level: LEVEL.batch,
    batches: await batchesWithEntries(database, query, part),
  });
  await nextTurn();
  return rows.map((row) => ({ ...row, isBlock: false })).toSorted((left, right) => right.batch - left.batch);
}

/** The batches of a block that may have such entries: those that its groups name where they are few, else all of them. */
async function batchesWithEntries(
  database: OpenDatabase,
  query: GroupQuery,
  { batch: block, entries }: Part,
): Promise<number[]> {
  const before = (block - 1) * BATCHES_PER_BLOCK;
  if (entries < BATCHES_PER_BLOCK) {
    const groups = await readGroupIds(database, query, { level: LEVEL.block, batches: [block] });
    if (groups.every(({ ids }) => ids !== ""))
      return [...new Set(groups.flatMap(({ ids }) => ids.split(",")))].map((distance) => before + Number(distance));
  }
  return Array.from({ length: BATCHES_PER_BLOCK }, (_, index) => before + 1 + index);
}
