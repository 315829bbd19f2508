import type { LogTail } from "@one-api/contract/logs/log";
import { actorIsAdmin } from "../../core/actor.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { findSettledId } from "@one-api/database/find-settled-id";
import type { NameChannels } from "./list-logs.ts";
import { presentLogs } from "./list-logs.ts";
import type { LogFilter } from "./log-filter.ts";
import { listIds, listRowsByIds } from "./log.repository.ts";

/** Ids that one question looks at: what came before these is left out. */
const MOST_IDS = 4_096;
const MOST_ENTRIES = 100;

/**
 * The entries after an id that the filter leaves: a look at the newest ids alone, whatever the log holds. The answer names the newest entry only
 * when none before it can still appear, so that who asks after it next misses nothing.
 */
export async function tailLogs(
  context: CallContext,
  nameChannels: NameChannels,
  filter: LogFilter,
  after: number,
): Promise<LogTail> {
  const { database } = context;
  // 0 while that cannot be said: then the next question asks the same.
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
