import { AppError } from "../../../core/app-error.ts";
import type { CallContext } from "../../../core/call-context.ts";
import { askLog } from "../ask-log.ts";
import type { LogFilter } from "../log-filter.ts";
import { findNewestId, type LogRow, listRowsByIds } from "../log.repository.ts";

const IDS_PER_QUESTION = 1_000;
/** Rows read at once: a few ms of work on SQLite, which runs in this thread. */
const ROWS_PER_READ = 100;

/** All matching entries, newest first, a hundred at a time. Later entries are not included. */
export async function* walkLogs(
  context: Pick<CallContext, "database" | "logStore" | "signal">,
  filter: LogFilter,
): AsyncGenerator<LogRow[]> {
  const { db } = context.database;
  let upTo = await findNewestId(db);
  while (upTo > 0) {
    const page = { offset: 0, limit: IDS_PER_QUESTION, upTo, withTotal: false };
    const { answer, isComplete } = await askLog(context, { kind: "page", filter, ...page });
    if (!isComplete)
      throw new AppError("log-store-failed", "The log store is being rebuilt. Export once it has all entries.");
    const { ids } = answer;
    for (let from = 0; from < ids.length; from += ROWS_PER_READ)
      // The rows are filtered again, as access must not depend on the log store.
      yield await listRowsByIds(db, filter, ids.slice(from, from + ROWS_PER_READ));
    upTo = ids.length < IDS_PER_QUESTION ? 0 : (ids.at(-1) ?? 1) - 1;
  }
}
