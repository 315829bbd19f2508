import { LOG_TYPE } from "@one-api/contract/logs/log";
import type { OpenDatabase } from "@one-api/database/open-database";
import { cutOf } from "./groups/log-cut.ts";
import { planGroups } from "./groups/log-groups.repository.ts";
import { loadBatches, planSpan } from "./groups/log-span.ts";
import { tailOf } from "./groups/log-tail.ts";
import { walkGroups } from "./groups/walk-log-groups.ts";
import type { LogFilter } from "./log-filter.ts";
import { type Consumption, sumRows } from "./log.repository.ts";

/**
 * Totals of the consumption entries that the filter leaves; its type is not looked at. They come from the groups of the batches, and from the
 * entries themselves where a bound cuts through a bucket and after the last batch.
 */
export async function sumLogs(database: OpenDatabase, filter: LogFilter): Promise<Consumption> {
  const consumption: LogFilter = { ...filter, type: LOG_TYPE.consumption };
  const span = planSpan(await loadBatches(database), filter.startTimestamp, filter.endTimestamp);
  const total = { quota: 0, token: 0 };
  const add = ({ quota, token }: Consumption) => {
    total.quota += quota;
    total.token += token;
  };
  const query = await planGroups(database, consumption);
  if (query !== undefined) for await (const part of walkGroups(database, query, span)) add(part);
  for await (const stretch of cutOf(database, query, span)) add(await sumRows(database, consumption, stretch));
  for await (const stretch of tailOf(database, span)) add(await sumRows(database, consumption, stretch));
  return total;
}
