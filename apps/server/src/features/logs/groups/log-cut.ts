import { setImmediate as nextTurn } from "node:timers/promises";
import type { OpenDatabase } from "@one-api/database/open-database";
import type { LogStretch } from "../log.repository.ts";
import { type GroupQuery, readGroupIds } from "./log-groups.repository.ts";
import { LEVEL } from "./log-groups.ts";
import { lastIdOf, type LogSpan } from "./log-span.ts";

/** Batches whose groups one statement reads. Few have entries of one bucket, unless a clock was set back. */
const BATCHES_PER_STATEMENT = 32;
/** Ids that one statement looks at. */
const IDS_PER_STATEMENT = 2_048;

/**
 * The ids of what the query leaves of the buckets that a bound of time cuts, in batches up to a last one; which of them are of the time is to be
 * asked of the entries themselves.
 */
export async function* cutOf(
  database: OpenDatabase,
  query: GroupQuery | undefined,
  span: LogSpan,
  lastBatch = span.batches.length,
): AsyncGenerator<LogStretch> {
  if (query === undefined) return;
  for (const bucket of span.cut) {
    const batches = span.batches
      .slice(bucket - 1, lastBatch)
      .filter(({ oldestBucket }) => oldestBucket <= bucket)
      .map(({ batch }) => batch);
    for (let first = 0; first < batches.length; first += BATCHES_PER_STATEMENT) {
      const some = batches.slice(first, first + BATCHES_PER_STATEMENT);
      const stretch = { level: LEVEL.batch, batches: some, buckets: [bucket, bucket] } as const;
      const groups = await readGroupIds(database, query, stretch);
      const ids = groups.flatMap((group) => idsOfGroup(span, group));
      for (let from = 0; from < ids.length; from += IDS_PER_STATEMENT) {
        yield { ids: ids.slice(from, from + IDS_PER_STATEMENT) };
        await nextTurn();
      }
    }
  }
}

/** The ids of a batch's group. */
export function idsOfGroup(
  { batches }: LogSpan,
  { batch, ids }: { readonly batch: number; readonly ids: string },
): number[] {
  const before = lastIdOf(batches, batch - 1);
  return ids.split(",").map((distance) => before + Number(distance));
}
