import type { LogBodies } from "@one-api/contract/logs/log";
import { AppError } from "../../../core/app-error.ts";
import { recordAudit } from "../../../core/audit.ts";
import { type CallContext, requireActor } from "../../../core/call-context.ts";
import type { LogFilter } from "../log-filter.ts";
import { listRowsByIds } from "../log.repository.ts";
import { findStoredBodies } from "./stored-body.repository.ts";

/**
 * Access to another user's bodies is recorded in the audit trail.
 * Throws `not-found` if nothing is stored, and for entries that the filter excludes.
 */
export async function getLogBodies(context: CallContext, filter: LogFilter, id: number): Promise<LogBodies> {
  const { db } = context.database;
  const [row] = await listRowsByIds(db, filter, [id]);
  const stored = row === undefined || row.request_id === "" ? undefined : await findStoredBodies(db, row.request_id);
  if (row === undefined || stored === undefined)
    throw new AppError("not-found", "Nothing is kept of what this request said, or not any more.");
  if (row.user_id !== requireActor(context).id) {
    const detail = { request_id: row.request_id, username: row.username };
    await recordAudit(db, context, { action: "log.read-bodies", object: `user:${row.user_id}`, detail });
  }
  const { request_is_truncated, answer_is_truncated, ...rest } = stored;
  return { ...rest, request_is_truncated: request_is_truncated === 1, answer_is_truncated: answer_is_truncated === 1 };
}
