import type { OpenDatabase } from "@one-api/database/open-database";
import { cutOf } from "./groups/log-cut.ts";
import { planGroups } from "./groups/log-groups.repository.ts";
import { loadBatches, planSpan } from "./groups/log-span.ts";
import { tailOf } from "./groups/log-tail.ts";
import { walkGroups } from "./groups/walk-log-groups.ts";
import type { LogFilter } from "./log-filter.ts";
import { listIds } from "./log.repository.ts";

/** How many entries the filter leaves, exactly: from the groups of the batches, and from rows where a bound cuts and after the last batch. */
export async function countLogs(database: OpenDatabase, filter: LogFilter): Promise<number> {
  let count = 0;
  const span = planSpan(await loadBatches(database), filter.startTimestamp, filter.endTimestamp);
  const query = await planGroups(database, filter);
  if (query !== undefined) for await (const { entries } of walkGroups(database, query, span)) count += entries;
  for await (const stretch of cutOf(database, query, span)) count += (await listIds(database, filter, stretch)).length;
  for await (const stretch of tailOf(database, span)) count += (await listIds(database, filter, stretch)).length;
  return count;
}
