import { LOG_RESULTS } from "@one-api/contract/constants";
import { type countLogResults as countLogResultsCall, LOG_TYPE } from "@one-api/contract/logs/log";
import type { z } from "zod";
import type { OpenDatabase } from "@one-api/database/open-database";
import { cutOf } from "./groups/log-cut.ts";
import { type GroupStretch, planGroups, sumGroupsByResult } from "./groups/log-groups.repository.ts";
import { BATCHES_PER_BLOCK, LEVEL } from "./groups/log-groups.ts";
import { isInSpan, type LogSpan, loadBatches, planSpan, wholeBlocks } from "./groups/log-span.ts";
import { tailOf } from "./groups/log-tail.ts";
import type { LogFilter } from "./log-filter.ts";
import { type ResultTotals, sumRowsByResult } from "./log.repository.ts";

/**
 * Totals of the consumption entries that the filter leaves, by model and result, as `sumLogs` adds them up: from the groups of batches and
 * blocks, and from entries where a bound cuts through a bucket and after the last batch. A refund lowers the quota of its result, and is no entry.
 */
export async function sumLogsByResult(database: OpenDatabase, filter: LogFilter): Promise<ResultTotals[]> {
  const span = planSpan(await loadBatches(database), filter.startTimestamp, filter.endTimestamp);
  const totals = new Map<string, ResultTotals>();
  const add = (rows: readonly ResultTotals[]) => {
    for (const row of rows) {
      const key = `${row.result} ${row.model}`;
      const known = totals.get(key);
      totals.set(key, known === undefined ? row : addTotals(known, row));
    }
  };
  for await (const rows of totalsOfType(database, { ...filter, type: LOG_TYPE.consumption }, span)) add(rows);
  for await (const rows of totalsOfType(database, { ...filter, type: LOG_TYPE.refund }, span))
    add(rows.map((row) => ({ ...row, entries: 0, tokens: 0, quota: -row.quota })));
  return [...totals.values()];
}

async function* totalsOfType(
  database: OpenDatabase,
  filter: LogFilter,
  span: LogSpan,
): AsyncGenerator<readonly ResultTotals[]> {
  const query = await planGroups(database, filter);
  if (query !== undefined)
    for (const stretch of stretchesOf(span)) yield await sumGroupsByResult(database, query, stretch);
  for await (const stretch of cutOf(database, query, span)) yield await sumRowsByResult(database, filter, stretch);
  for await (const stretch of tailOf(database, span)) yield await sumRowsByResult(database, filter, stretch);
}

/** How the requests that the filter leaves ended, the most frequent first; its result is not looked at. */
export async function countLogResults(
  database: OpenDatabase,
  filter: LogFilter,
): Promise<z.input<(typeof countLogResultsCall)["data"]>> {
  const counts = new Map<string, number>();
  for (const { result, entries } of await sumLogsByResult(database, { ...filter, result: "" }))
    counts.set(result, (counts.get(result) ?? 0) + entries);
  return LOG_RESULTS.map((result) => ({ result, requests: counts.get(result) ?? 0 }))
    .filter(({ requests }) => requests > 0)
    .toSorted((left, right) => right.requests - left.requests);
}

function addTotals(left: ResultTotals, right: ResultTotals): ResultTotals {
  const { entries, quota, tokens } = right;
  return {
    ...left,
    entries: left.entries + entries,
    quota: left.quota + quota,
    tokens: left.tokens + tokens,
  };
}

/** Blocks where they are whole, batches elsewhere. */
function stretchesOf(span: LogSpan): GroupStretch[] {
  const blocks = wholeBlocks(span);
  const whole = new Set(blocks);
  const batches = span.batches
    .filter((batch) => isInSpan(span, batch) && !whole.has(Math.ceil(batch.batch / BATCHES_PER_BLOCK)))
    .map(({ batch }) => batch);
  const buckets = [span.firstBucket, span.lastBucket] as const;
  return [
    { level: LEVEL.block, batches: blocks },
    { level: LEVEL.batch, batches, buckets },
  ];
}
