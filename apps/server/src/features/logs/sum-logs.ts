import { setImmediate } from "node:timers/promises";
import type { OpenDatabase } from "@one-api/database/open-database";
import { type Consumption, findIdRange, type LogFilter, sumConsumption } from "./log.repository.ts";

/** Ids that one statement looks at: a few ms of work. */
const IDS_PER_STEP = 50_000;

/**
 * Totals of the consumption entries that the filter leaves. SQLite works in this very thread, so the sum is made in steps between which
 * relayed requests go on; entries are only ever added at the end, so the steps add up. PostgreSQL sums at once.
 */
export async function sumLogs({ kind, db }: OpenDatabase, filter: LogFilter): Promise<Consumption> {
  if (kind === "postgres") return sumConsumption(db, filter);
  const range = await findIdRange(db);
  const total = { quota: 0, token: 0 };
  if (range === undefined) return total;
  for (let first = range.first; first <= range.last; first += IDS_PER_STEP) {
    const last = Math.min(range.last, first + IDS_PER_STEP - 1);
    const part = await sumConsumption(db, filter, { first, last });
    total.quota += part.quota;
    total.token += part.token;
    await setImmediate();
  }
  return total;
}
