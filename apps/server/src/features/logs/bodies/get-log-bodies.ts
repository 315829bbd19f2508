import type { LogBodies } from "@one-api/contract/logs/log";
import { AppError } from "../../../core/app-error.ts";
import { recordAudit } from "../../../core/audit.ts";
import { type CallContext, requireActor } from "../../../core/call-context.ts";
import type { LogFilter } from "../log-filter.ts";
import { listRowsByIds } from "../log.repository.ts";
import { findKeptBodies } from "./kept-body.repository.ts";

/**
 * What the request of an entry said and was answered, where its token keeps that. That somebody read another's goes into the audit trail. Throws
 * `not-found` when nothing is kept, and for entries that the filter leaves out.
 */
export async function getLogBodies(context: CallContext, filter: LogFilter, id: number): Promise<LogBodies> {
  const { db } = context.database;
  const [row] = await listRowsByIds(db, filter, [id]);
  const kept = row === undefined || row.request_id === "" ? undefined : await findKeptBodies(db, row.request_id);
  if (row === undefined || kept === undefined)
    throw new AppError("not-found", "Nothing is kept of what this request said, or not any more.");
  if (row.user_id !== requireActor(context).id) {
    const detail = { request_id: row.request_id, username: row.username };
    await recordAudit(db, context, { action: "log.read-bodies", object: `user:${row.user_id}`, detail });
  }
  const { request_is_truncated, answer_is_truncated, ...rest } = kept;
  return { ...rest, request_is_truncated: request_is_truncated === 1, answer_is_truncated: answer_is_truncated === 1 };
}
