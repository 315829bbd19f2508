import { LOG_TYPE } from "@one-api/contract/logs/log";
import type { OpenDatabase } from "@one-api/database/open-database";
import { cutOf } from "./groups/log-cut.ts";
import { planGroups } from "./groups/log-groups.repository.ts";
import { type LogSpan, loadBatches, planSpan } from "./groups/log-span.ts";
import { tailOf } from "./groups/log-tail.ts";
import { walkGroups } from "./groups/walk-log-groups.ts";
import type { LogFilter } from "./log-filter.ts";
import { type Consumption, sumRows } from "./log.repository.ts";

/**
 * Totals of the consumption entries that the filter leaves, less the refunds among them; its type is not looked at. They come from the groups of the batches, and from the
 * entries themselves where a bound cuts through a bucket and after the last batch.
 */
export async function sumLogs(database: OpenDatabase, filter: LogFilter): Promise<Consumption> {
  const span = planSpan(await loadBatches(database), filter.startTimestamp, filter.endTimestamp);
  const charged = await sumType(database, { ...filter, type: LOG_TYPE.consumption }, span);
  const refunded = await sumType(database, { ...filter, type: LOG_TYPE.refund }, span);
  return { quota: charged.quota - refunded.quota, token: charged.token };
}

async function sumType(database: OpenDatabase, filter: LogFilter, span: LogSpan): Promise<Consumption> {
  const total = { quota: 0, token: 0 };
  const add = ({ quota, token }: Consumption) => {
    total.quota += quota;
    total.token += token;
  };
  const query = await planGroups(database, filter);
  if (query !== undefined) for await (const part of walkGroups(database, query, span)) add(part);
  for await (const stretch of cutOf(database, query, span)) add(await sumRows(database, filter, stretch));
  for await (const stretch of tailOf(database, span)) add(await sumRows(database, filter, stretch));
  return total;
}
