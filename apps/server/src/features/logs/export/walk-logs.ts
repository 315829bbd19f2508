import { setTimeout as wait } from "node:timers/promises";
import type { AnswerTo, LogQuestion } from "@one-api/log-store/questions";
import { AppError } from "../../../core/app-error.ts";
import type { CallContext } from "../../../core/call-context.ts";
import { askLog } from "../ask-log.ts";
import type { LogFilter } from "../log-filter.ts";
import { findNewestId, type LogRow, listRowsByIds } from "../log.repository.ts";

/** A busy server's log store may need more than the second that a question waits. */
const COPY_MS = 10_000;
const RETRY_MS = 50;
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
    const { ids } = await askWhenComplete(context, { kind: "page", filter, ...page });
    for (let from = 0; from < ids.length; from += ROWS_PER_READ)
      // The rows are filtered again, as access must not depend on the log store.
      yield await listRowsByIds(db, filter, ids.slice(from, from + ROWS_PER_READ));
    upTo = ids.length < IDS_PER_QUESTION ? 0 : (ids.at(-1) ?? 1) - 1;
  }
}

/** Asks again while the log store copies new entries. Throws `log-store-failed` if it still lacks some after 10 s. */
async function askWhenComplete<Question extends LogQuestion>(
  context: Pick<CallContext, "logStore" | "signal">,
  question: Question,
): Promise<AnswerTo<Question>> {
  const endMs = performance.now() + COPY_MS;
  for (;;) {
    const { answer, isComplete } = await askLog(context, question);
    if (isComplete) return answer;
    if (performance.now() > endMs)
      throw new AppError("log-store-failed", "The log store is being rebuilt. Export once it has all entries.");
    await wait(RETRY_MS);
  }
}
