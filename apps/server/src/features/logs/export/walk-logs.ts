import type { OpenDatabase } from "@one-api/database/open-database";
import { piecesOf, readIds, type Search, startSearch } from "../find-log-ids.ts";
import { loadBatches } from "../groups/log-span.ts";
import type { LogFilter } from "../log-filter.ts";
import { findNewestId, listRowsByIds, type LogRow } from "../log.repository.ts";

/** Entries that are read at a time: a few ms of work on SQLite, which works in this very thread. */
const ROWS_PER_READ = 100;

/**
 * Walks through all entries that the filter leaves, newest first, a hundred at a time, in constant memory; what is logged meanwhile is left out.
 * Where entries are removed on the way the batches that it goes by are made again: it starts anew behind what it has given.
 */
export async function* walkLogs(database: OpenDatabase, filter: LogFilter): AsyncGenerator<LogRow[]> {
  let upTo = await findNewestId(database.db);
  while (upTo > 0) upTo = yield* walkUntilChanged(await startSearch(database, filter, { upTo }));
}

/** Returns the id up to which it has to go on; 0 when that was all. */
async function* walkUntilChanged(search: Search): AsyncGenerator<LogRow[], number> {
  const { database, filter } = search;
  let next = search.upTo;
  for await (const piece of piecesOf(search, () => true)) {
    if (piece.count === 0) continue;
    const ids = await readIds(search, [piece]);
    if (!(await standsStill(search))) return next;
    for (let from = 0; from < ids.length; from += ROWS_PER_READ) {
      const some = ids.slice(from, from + ROWS_PER_READ);
      // The filter looks at the rows again: the ids are a reading of groups, and whose entry it is must not depend on these.
      yield await listRowsByIds(database.db, filter, some);
      next = (some.at(-1) ?? next) - 1;
    }
  }
  return (await standsStill(search)) ? 0 : next;
}

/** True while the batches that were read are still the ones of the log; once they are not, they never will be again. */
async function standsStill({ database, span }: Search): Promise<boolean> {
  const batches = await loadBatches(database);
  return (batches[span.batches.length - 1]?.lastId ?? 0) === span.lastId;
}
