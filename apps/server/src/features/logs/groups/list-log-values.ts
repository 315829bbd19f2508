import type { OpenDatabase } from "@one-api/database/open-database";
import { NO_FILTER } from "../log-filter.ts";
import { listRowValues, type SuggestedColumn } from "../log.repository.ts";
import type { Queryable } from "../../../core/transaction.ts";
import { listGroupValues, planGroups } from "./log-groups.repository.ts";
import { BATCHES_PER_BLOCK, type Level, LEVEL } from "./log-groups.ts";
import { loadBatches, planSpan, wholeBlocks } from "./log-span.ts";
import { tailOf } from "./log-tail.ts";

/** The names of this kind from a text on, in order. */
export async function listNames(db: Queryable, kind: SuggestedColumn, from: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("log_names")
    .select("name")
    .distinct()
    .where("kind", "=", kind)
    .where("name", ">=", from)
    .orderBy("name")
    .limit(limit)
    .execute();
  return rows.map(({ name }) => name);
}

/** The column's different values in the newest entries, which are in no batch yet; of one user, or with 0 of everybody. */
export async function listTailValues(
  database: OpenDatabase,
  column: SuggestedColumn,
  userId: number,
): Promise<string[]> {
  const span = planSpan(await loadBatches(database), 0, 0);
  // The first stretch is longer than the tail, but for a log whose batches are still being made.
  for await (const stretch of tailOf(database, span))
    return listRowValues(database, column, { ...NO_FILTER, userId }, stretch);
  return [];
}

/** The column's different values in a user's entries. */
export async function listOwnValues(
  database: OpenDatabase,
  column: SuggestedColumn,
  userId: number,
): Promise<string[]> {
  const values = new Set(await listTailValues(database, column, userId));
  const query = await planGroups(database, { ...NO_FILTER, userId });
  if (query === undefined) return [...values];
  const span = planSpan(await loadBatches(database), 0, 0);
  const add = async (level: Level, batches: readonly number[]) => {
    for (const value of await listGroupValues(database, query, column, { level, batches })) values.add(value);
  };
  const blocks = wholeBlocks(span);
  await add(LEVEL.block, blocks);
  const rest = span.batches.slice(blocks.length * BATCHES_PER_BLOCK);
  await add(
    LEVEL.batch,
    rest.map(({ batch }) => batch),
  );
  values.delete("");
  return [...values];
}
