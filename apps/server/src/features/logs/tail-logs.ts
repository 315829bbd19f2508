import type { LogTail } from "@one-api/contract/logs/log";
import { actorIsAdmin } from "../../core/actor.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { findSettledId } from "@one-api/database/find-settled-id";
import type { NameChannels } from "./list-logs.ts";
import { presentLogs } from "./list-logs.ts";
import type { LogFilter } from "./log-filter.ts";
import { listIds, listRowsByIds } from "./log.repository.ts";

/** Ids searched by one call. Older ones are skipped. */
const MOST_IDS = 4_096;
const MOST_ENTRIES = 100;

/**
 * Matching entries after an id, among the newest ids only. `newest` is the watermark below which no entry can
 * still appear, so a caller that continues there misses none.
 */
export async function tailLogs(
  context: CallContext,
  nameChannels: NameChannels,
  filter: LogFilter,
  after: number,
): Promise<LogTail> {
  const { database } = context;
  // 0 if unknown: the next call then repeats the question.
  const newest = Math.max(after, await findSettledId(database, "logs"));
  if (after === 0 || newest === after) return { entries: [], newest, is_cut: false };
  const from = Math.max(after, newest - MOST_IDS);
  const ids = await listIds(database.db, filter, { after: from, last: newest });
  const rows = ids.length === 0 ? [] : await listRowsByIds(database.db, filter, ids.slice(0, MOST_ENTRIES));
  const forAdmin = actorIsAdmin(requireActor(context));
  return {
    entries: await presentLogs(database.db, nameChannels, rows, forAdmin),
    newest,
    is_cut: from > after || ids.length > MOST_ENTRIES,
  };
}
