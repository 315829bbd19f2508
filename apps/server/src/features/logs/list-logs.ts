import type { Log } from "@one-api/contract/log";
import { actorIsAdmin } from "../../core/actor.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { presentLog } from "./log.present.ts";
import { countLogs, type LogFilter, listLogRows } from "./log.repository.ts";

/** Entries, and how many there are in all, counted up to 10,000. */
export interface LogList {
  readonly logs: Log[];
  readonly total: number;
}

/** One page of the entries that the filter leaves, newest first, as the caller may see them. `page` counts from 0. */
export async function listLogs(context: CallContext, filter: LogFilter, page: number): Promise<LogList> {
  const forAdmin = actorIsAdmin(requireActor(context));
  const { db } = context.database;
  const [rows, total] = [await listLogRows(db, filter, page), await countLogs(db, filter)];
  return { logs: rows.map((row) => presentLog(row, forAdmin)), total };
}
