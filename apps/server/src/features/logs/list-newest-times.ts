import type { OpenDatabase } from "@one-api/database/open-database";
import { findLogIds } from "./find-log-ids.ts";
import type { LogFilter } from "./log-filter.ts";
import { listTimes, type RequestTimes } from "./log.repository.ts";

/** How long the newest requests that the filter leaves took, so many at the most. */
export async function listNewestTimes(
  database: OpenDatabase,
  filter: LogFilter,
  limit: number,
): Promise<RequestTimes[]> {
  const { ids } = await findLogIds(database, filter, { offset: 0, limit, upTo: 0 });
  return ids.length === 0 ? [] : listTimes(database, ids);
}
