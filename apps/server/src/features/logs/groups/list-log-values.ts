import type { OpenDatabase } from "@one-api/database/open-database";
import type { LogFilter, SuggestedColumn } from "../log.repository.ts";
import { listRowValues } from "../log.repository.ts";
import type { Queryable } from "../../../core/transaction.ts";
import { listGroupValues, planGroups } from "./log-groups.repository.ts";
import { BATCHES_PER_BLOCK, LEVEL } from "./log-groups.ts";
import { loadBatches, planSpan, wholeBlocks } from "./log-span.ts";
import { tailOf } from "./log-tail.ts";
import { BATCHES_PER_STATEMENT } from "./walk-log-groups.ts";

const EVERYTHING: LogFilter = {
  userId: 0,
  type: 0,
  tokenName: "",
  modelName: "",
  username: "",
  channelId: 0,
  result: "",
  startTimestamp: 0,
  endTimestamp: 0,
};

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
    return listRowValues(database.db, column, { ...EVERYTHING, userId }, stretch);
  return [];
}

/** The column's different values in a user's entries. */
export async function listOwnValues(
  database: OpenDatabase,
  column: SuggestedColumn,
  userId: number,
): Promise<string[]> {
  const values = new Set(await listTailValues(database, column, userId));
  const query = await planGroups(database, { ...EVERYTHING, userId });
  const { batches, ...span } = planSpan(await loadBatches(database), 0, 0);
  if (query === undefined) return [...values];
  const blocks = await listGroupValues(database, query, column, LEVEL.block, wholeBlocks({ batches, ...span }));
  const covered = new Set(blocks.map(({ batch }) => batch));
  const rest = batches.map(({ batch }) => batch).filter((batch) => !covered.has(Math.ceil(batch / BATCHES_PER_BLOCK)));
  for (const { value } of blocks) values.add(value);
  for (let start = 0; start < rest.length; start += BATCHES_PER_STATEMENT) {
    const some = rest.slice(start, start + BATCHES_PER_STATEMENT);
    for (const { value } of await listGroupValues(database, query, column, LEVEL.batch, some)) values.add(value);
  }
  values.delete("");
  return [...values];
}
